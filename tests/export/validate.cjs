// node validate.cjs FOLDER-WITH-NODE_MODULES FILE.glb ...: fails if the Khronos validator finds an error.
const fs = require("fs");
const path = require("path");
const [folder, ...files] = process.argv.slice(2);
const validator = require(path.resolve(folder, "node_modules/gltf-validator"));

(async () => {
  let errors = 0;
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    errors += report.issues.numErrors;
    const told = report.issues.messages.slice(0, 5).map((m) => `${m.code} ${m.message} ${m.pointer}`);
    console.log(file, report.issues.numErrors, "errors", report.issues.numWarnings, "warnings", told.join("; "));
  }
  process.exit(errors ? 1 : 0);
})();
