//! Unpacks layers of tile caches: FastLZ, level 1.

/// Whether the bytes unpack to exactly `wanted` bytes. A layer holds at most 3 × 255 × 255 bytes, and no more are kept.
pub(super) fn unpacks(packed: &[u8], wanted: usize) -> bool {
    unpack(packed, wanted).is_some_and(|out| out.len() == wanted)
}

/// Unpacks at most `most` bytes. `None` if the bytes are broken, of another level, or unpack to more.
fn unpack(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let (first, mut rest) = packed.split_first()?;
    if first >> 5 != 0 {
        return None;
    }
    let mut out = Vec::new();
    let mut control = usize::from(first & 31);
    loop {
        if control >= 32 {
            let mut len = control >> 5;
            let mut back = (control & 31) << 8;
            if len == 7 {
                len = len.checked_add(take(&mut rest)?.into())?;
            }
            back = back.checked_add(take(&mut rest)?.into())?.checked_add(1)?;
            let mut from = out.len().checked_sub(back)?;
            for _ in 0..len.checked_add(2)? {
                let byte = *out.get(from)?;
                out.push(byte);
                from = from.checked_add(1)?;
            }
        } else {
            let (plain, after) = rest.split_at_checked(control.checked_add(1)?)?;
            out.extend_from_slice(plain);
            rest = after;
        }
        if out.len() > most {
            return None;
        }
        match take(&mut rest) {
            Some(next) => control = next.into(),
            None => return Some(out),
        }
    }
}

fn take(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_and_a_copy_unpack() {
        // Three literal bytes, then five bytes copied from three back.
        assert_eq!(unpack(&[2, b'a', b'b', b'c', 3 << 5, 2], 100).unwrap(), b"abcabcab");
        assert!(unpacks(&[2, b'a', b'b', b'c', 3 << 5, 2], 8));
    }

    #[test]
    fn a_copy_from_before_the_start_and_one_that_grows_too_long_are_broken() {
        assert_eq!(unpack(&[0, b'a', 1 << 5, 5], 100), None);
        assert_eq!(unpack(&[0, b'a', 7 << 5, 255, 0], 100), None);
        assert_eq!(unpack(&[], 100), None);
        assert_eq!(unpack(&[5, 1], 100), None);
        assert_eq!(unpack(&[32, 1], 100), None);
    }
}
