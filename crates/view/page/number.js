// How numbers are written: as the program writes them, wherever the reader is.

/** A number with commas between thousands. `toLocaleString` takes 50 ms the first time. @param {number} value @param {number} digits the most after the point */
export function grouped(value, digits = 0) {
  const [whole, part = ""] = value.toFixed(digits).split("."), rest = part.replace(/0+$/, "");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest && `.${rest}`}`;
}

/** A number with few digits. @param {number} value */
export function short(value) {
  return grouped(value, Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 2);
}
