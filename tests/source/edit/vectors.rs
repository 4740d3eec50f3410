//! Which worked examples of `docs/formats/source-edit.md`, section 7, are tests, and in which modes.
//!
//! A test is named after its examples: `v05_and_v06_…`, `v22_to_v24_…`. It runs them as the game does it and as it is
//! better, so it names both modes. Four are about analysis, which both modes share and which has tests of its own.

/// Every file with tests of examples.
const SOURCES: [&str; 9] = [
    include_str!("links.rs"),
    include_str!("marks.rs"),
    include_str!("places.rs"),
    include_str!("rules.rs"),
    include_str!("select.rs"),
    include_str!("shape.rs"),
    include_str!("split.rs"),
    include_str!("text.rs"),
    include_str!("undo.rs"),
];

/// Examples without a mode of their own: where they are held, in both modes at once.
const ELSEWHERE: [(u32, &str, &str); 5] = [
    (74, "fn v74_an_edge_is_probed_every_25_units", include_str!("../../../crates/source/src/geometry.rs")),
    (75, "fn an_area_alone_hides_in_all_four_corners", include_str!("../analyze/spots.rs")),
    (
        76,
        "fn a_neighbour_covers_the_corners_that_it_reaches_within_20_units",
        include_str!("../analyze/spots.rs"),
    ),
    (77, "fn every_connection_leads_to_every_other_one", include_str!("../analyze/spots.rs")),
    (78, "fn nav_analyze_in_a_script_does_the_same_in_both_modes", include_str!("../analyze/spots.rs")),
];

/// The examples of a test, by its name.
fn examples(name: &str) -> Vec<u32> {
    let number = |part: &str| part.strip_prefix('v').and_then(|digits| digits.parse::<u32>().ok());
    let parts: Vec<&str> = name.split('_').collect();
    match (number(parts[0]), parts.get(1), parts.get(2).and_then(|part| number(part))) {
        (Some(first), Some(&"and"), Some(last)) => vec![first, last],
        (Some(first), Some(&"to"), Some(last)) => (first..=last).collect(),
        (Some(only), ..) => vec![only],
        (None, ..) => Vec::new(),
    }
}

#[test]
fn each_of_the_80_examples_is_a_test_in_both_modes() {
    let mut tested = [0; 81];
    for source in SOURCES {
        for test in source.split("#[test]\n").skip(1) {
            let name = test.strip_prefix("fn ").and_then(|rest| rest.split('(').next()).unwrap_or("");
            let found = examples(name);
            let end = test.find("\n}\n").unwrap_or(test.len());
            let both = test[..end].contains("GAME") && test[..end].contains("NAVMAP");
            assert!(found.is_empty() || both, "{name} runs in one mode alone");
            found.iter().for_each(|number| tested[*number as usize] += 1);
        }
    }
    for (number, name, source) in ELSEWHERE {
        assert!(source.contains(name), "{name}");
        tested[number as usize] += 1;
    }
    let missing: Vec<usize> = (1..=80).filter(|number| tested[*number] != 1).collect();
    assert_eq!(missing, [0; 0], "not a test, or more than one");
}
