//! Sheets: a place for every map, one key for all, further pages.

use super::*;

#[test]
fn a_sheet_keeps_the_ids_in_titles() {
    let title = "The Ancestor Glade of the Northern Reach in Winter (01035EB0)";
    let options = DrawOptions::default();
    let thumbnail = Thumbnail::new(&hills(3), &caption(title), 200, &options);
    let text = page(&Sheet::new("sheet", 1, &options, vec![thumbnail]));
    assert!(text.contains("035EB0)<"), "{text}");
}

#[test]
fn a_sheet_has_a_place_for_every_map_also_for_a_broken_one() {
    let options = DrawOptions::default();
    let maps: Vec<Thumbnail> = (1..=5)
        .map(|side| Thumbnail::new(&hills(side), &caption(&format!("map {side}")), 200, &options))
        .chain([Thumbnail::failed(
            &Caption { error: Some("no use".into()), ..caption("broken") },
            200,
            &options,
        )])
        .collect();
    let sheet = Sheet::new("six maps", 3, &options, maps);
    let mut out = Vec::new();
    sheet.write_svg(&mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for words in ["six maps", "map 1", "map 5", "broken", "no use"] {
        assert!(text.contains(&format!(">{words}<")), "{words}");
    }
    resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
    let mut out = Vec::new();
    sheet.write_png(&mut out).unwrap();
    let (width, height, _) = pixels(&out);
    assert!(width > 3 * 200 && height > 2 * 200 && width < 3 * 260 && height < 2 * 330, "{width}x{height}");
}

/// A sheet as SVG.
fn page(sheet: &Sheet) -> String {
    let mut out = Vec::new();
    sheet.write_svg(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_sheet_tells_heights_ceilings_and_where_maps_of_one_name_lie() {
    let options = DrawOptions::default();
    let mut covered = hills(8);
    let sky = [(-50.0, -50.0), (450.0, -50.0), (450.0, 450.0), (-50.0, 450.0)];
    for _ in 0..6 {
        covered.add_node(900, Shape::Polygon(&sky.map(|(x, y)| Point::new(x, y, 9_000.0))));
    }
    for pair in 64..69 {
        covered.add_link(Link::new(pair, pair + 1, LinkKind::Walk));
    }
    let of = |graph: &FlatGraph, origin: &str, options: &DrawOptions| {
        let caption = Caption { origin: origin.to_owned(), ..caption("dust") };
        Thumbnail::new(graph, &caption, 280, options)
    };
    let maps = vec![of(&hills(8), "old/dust.nav", &options), of(&covered, "new/dust.nav", &options)];
    let text = page(&Sheet::new("two", 2, &options, maps));
    for words in ["old/dust.nav", "new/dust.nav", "low to high on each map", "ceiling over 100 %"] {
        assert!(text.contains(&format!(">{words}<")), "{words}");
    }
    let heights = text.split('>').filter(|words| words.contains(" to ") && words.contains(" m</text"));
    let heights: Vec<&str> = heights.collect();
    assert!(
        heights.len() == 2 && heights[0] == heights[1],
        "the ceiling has no part in the heights: {heights:?}"
    );

    let nowhere = DrawOptions { floor: Some([90_000.0, 90_001.0]), ..DrawOptions::default() };
    let text = page(&Sheet::new("one", 1, &nowhere, vec![of(&hills(3), "", &nowhere)]));
    assert!(text.contains(">nothing at these heights<") && !text.contains("low to high"));
}

#[test]
fn a_flag_has_one_colour_on_all_maps_of_a_sheet() {
    let flagged = |names: &[(u32, &'static str)]| {
        let mut graph = hills(3);
        for (bit, name) in names {
            graph.name_flag(*bit, name);
            graph.nodes_mut()[*bit as usize].flags = 1 << bit;
        }
        let options =
            DrawOptions { colour: ColourBy::of_sheet("jump,crouch", &graph), ..DrawOptions::default() };
        Thumbnail::new(&graph, &caption("flags"), 280, &options)
    };
    let sheet = |maps: Vec<Thumbnail>| page(&Sheet::new("flags", 2, &DrawOptions::default(), maps));
    // What stands before the words is the sample.
    let colour = |text: &str, name: &str| {
        let before = text.split_once(&format!(">{name} ")).unwrap().0;
        let class = before.rsplit("<path class=\"").next().unwrap().split_once('"').unwrap().0.to_owned();
        let style = text.split_once(&format!(".{class}{{")).unwrap().1;
        style.split_once("fill:").unwrap().1.split_once(';').unwrap().0.to_owned()
    };
    let both = sheet(vec![flagged(&[(1, "JUMP"), (2, "CROUCH")]), flagged(&[(4, "crouch")])]);
    let one = sheet(vec![flagged(&[(4, "crouch")])]);
    assert!(both.contains(">jump 1<") && both.contains(">crouch 2<") && both.contains(">without 15<"));
    assert!(one.contains(">crouch 1<") && !one.contains(">jump"));
    assert_eq!(colour(&both, "crouch"), colour(&one, "crouch"), "also where the first flag is missing");
    assert_ne!(colour(&both, "crouch"), colour(&both, "jump"));
}

#[test]
fn maps_that_have_no_room_go_on_further_pages() {
    let options = DrawOptions::default();
    let maps: Vec<Thumbnail> =
        (0..7).map(|nth| Thumbnail::new(&hills(2), &caption(&format!("m{nth}")), 64, &options)).collect();
    let grid = Grid { columns: Some(2), rows: Some(2) };
    let pages = Sheet::pages("seven", grid, &options, maps.clone());
    let texts: Vec<String> = pages.iter().map(page).collect();
    let told = |text: &String| (0..7).filter(|nth| text.contains(&format!(">m{nth}<"))).collect::<Vec<_>>();
    assert_eq!(texts.iter().map(told).collect::<Vec<_>>(), [vec![0, 1, 2, 3], vec![4, 5, 6]]);
    assert!(texts[1].contains("page 2 of 2"), "the description is whole where the title is cut");
    let whole = Sheet::pages("seven", Grid::default(), &options, maps);
    assert!(whole.len() == 1 && !page(&whole[0]).contains("page 1"));
    assert_eq!(Sheet::pages("none", Grid::default(), &options, Vec::new()).len(), 1);
}
