//! The examples that each help text and each manual page ends with.

/// The verbs with their examples: a command line, and its purpose.
pub(super) const PAGES: &[(&str, &[(&str, &str)])] = &[
    (
        "scan",
        &[
            ("navmap scan maps/ pak01_dir.vpk", "one row for each mesh, in archives too"),
            ("navmap scan --format csv --graph maps/ > maps.csv", "a table with islands, areas and extents"),
            (
                "navmap scan --format jsonl --resume rows.jsonl maps/ >> rows.jsonl",
                "go on after an interrupted run",
            ),
        ],
    ),
    (
        "info",
        &[
            ("navmap info de_dust2.nav", "what is in a mesh"),
            ("navmap info --flags de_dust2.nav", "its flags, with how many areas have each"),
            ("navmap info --records Skyrim.esm", "every navmesh of a plugin"),
        ],
    ),
    (
        "show",
        &[
            ("navmap show de_dust2.nav '#2023'", "an area with its neighbours, spots, findings and bytes"),
            (
                "navmap show de_dust2.nav 'place(BombsiteA)&attr(CROUCH)' --format jsonl",
                "several, a row each, for a script",
            ),
            ("navmap show de_dust2.nav 'finding(one-way-connection)'", "all of which a check says this"),
            ("navmap show de_dust2.nav", "what selectors there are"),
        ],
    ),
    (
        "watch",
        &[
            ("navmap watch maps/", "check each mesh again when it has been saved"),
            (
                "navmap watch maps/ --then 'check --least warning' --then 'draw {} -o pictures/{name}.svg --force'",
                "and draw it again",
            ),
        ],
    ),
    (
        "draw",
        &[
            ("navmap draw de_dust2.nav -o dust2.svg", "a map, coloured by height"),
            ("navmap draw de_dust2.nav -o dust2.png --color place --dark", "its places, light on dark"),
            (
                "navmap draw cp_steel.nav -o steel.png --color crouch,jump --layer links",
                "two flags, and every link",
            ),
            ("navmap draw maps/ -o sheet.png", "a sheet of all maps in a folder"),
            (
                "navmap draw de_dust2.nav --around '#2023' -o area.svg",
                "the surroundings of an area, which is marked",
            ),
            (
                "navmap draw new.nav --before de_dust2.nav --bsp de_dust2.bsp -o new.svg",
                "what a new mesh changes, over the floor plan of the map",
            ),
        ],
    ),
    (
        "view",
        &[
            ("navmap view de_dust2.nav --open", "a mesh in the browser"),
            (
                "navmap view maps/ mods/*.vpk",
                "every mesh of folders and archives, at the address that is printed",
            ),
            ("navmap view de_dust2.nav --html dust2.html", "one file to send to somebody"),
        ],
    ),
    (
        "export",
        &[
            ("navmap export de_dust2.nav -o dust2.glb", "a model for a 3D program"),
            ("navmap export q2dm1.nav -o q2dm1.graphml", "nodes and links for a graph program"),
        ],
    ),
    (
        "dump",
        &[
            ("navmap dump de_dust2.nav | jq '.areas[0]'", "the first area with everything in it"),
            ("navmap dump --pretty 'pak0.pak!bots/navigation/dm1.nav'", "a mesh inside an archive"),
        ],
    ),
    (
        "check",
        &[
            ("navmap check maps/", "what is odd or broken, and where"),
            (
                "navmap check --format jsonl --least warning maps/",
                "without information and deviations, for a script",
            ),
            ("navmap check --load-order Skyrim.esm Mod.esp", "what leads from plugin to plugin"),
            ("navmap check maps/ --fix -o scripts/", "for every mesh a script that mends it"),
            (
                "navmap check maps/ --fix --in-place --backup-dir old/",
                "mend them all, and keep the files as they were in old/",
            ),
        ],
    ),
    (
        "list",
        &[
            ("navmap list pak01_dir.vpk", "every member of an archive"),
            ("navmap list --meshes pak01_dir.vpk", "the meshes in it"),
        ],
    ),
    ("extract", &[("navmap extract pak01_dir.vpk -o maps/", "the meshes of an archive as files")]),
    (
        "convert",
        &[
            ("navmap convert dm3.nav -o dm3.navjson", "a mesh of Quake (NAV2) to JSON, as text to edit"),
            ("navmap convert dm3.navjson -o dm3.nav", "and back; what is lost is named"),
            (
                "navmap convert a.nav -o b.nav --to source-9 --lossless",
                "another version, unless something is lost",
            ),
            ("navmap convert base.obj -o base.nav2", "a mesh of the Fox Engine from a model"),
            (
                "navmap convert gm_a.nav -o gm_a.ain --bsp gm_a.bsp",
                "a node graph for creatures, from a mesh and its map",
            ),
            ("navmap convert a.ain -o b.ain --hulls 11", "a node graph with another number of hulls"),
            ("navmap convert land.obj --tile-set tiles/", "a map of many tiles, joined over their borders"),
        ],
    ),
    (
        "edit",
        &[
            ("navmap edit a.nav -c 'nav_merge #12 #13' -o b.nav", "merge area 12 into area 13"),
            ("navmap edit a.nav -f script.txt --in-place", "run a script of the game's own commands"),
            ("navmap edit a.nav -c 'nav_delete larger(1000)' --dry-run", "what would change"),
        ],
    ),
    (
        "tables",
        &[
            ("navmap tables maps/ -o out/ --format parquet", "every table that has rows, a file each"),
            ("navmap tables maps/ mods/*.vpk -o out/ --tables files,areas", "two tables, as CSV"),
            ("navmap tables maps/ -o out/ --format parquet --update", "again, reading only what has changed"),
            ("navmap tables --schema areas", "the columns of a table"),
        ],
    ),
    (
        "sql",
        &[
            (
                "navmap sql 'SELECT place, count(*) FROM areas GROUP BY 1 ORDER BY 2 DESC' maps/",
                "areas of each place over all maps",
            ),
            (
                "navmap sql \"SELECT map, count(*) FROM files JOIN areas USING (file) WHERE has_flag(areas.flags, 'CROUCH') GROUP BY file\" maps/",
                "areas to crouch in, by map",
            ),
            ("navmap sql -f report.sql maps/ mods/*.vpk --format csv -o report.csv", "a script, as CSV"),
            ("navmap sql maps/", "a prompt"),
            ("navmap sql --schema areas", "the columns of a table"),
        ],
    ),
    (
        "fix",
        &[
            (
                "navmap fix --dry-run plugins.txt --data Data/",
                "what is broken in what the game loads, and what would come instead",
            ),
            (
                "navmap fix Data/ -o 'Navmesh fixes.esp' --light",
                "a patch that repairs it; leave it out to undo all",
            ),
            (
                "navmap fix Skyrim.esm Update.esm Mod.esp --plugin Mod.esp --itm -o fixed/Mod.esp",
                "a new version of one plugin, cleaned as well",
            ),
        ],
    ),
    (
        "conflicts",
        &[
            ("navmap conflicts ~/MO2/profiles/Main --data ~/Skyrim/Data", "of a profile of Mod Organizer 2"),
            (
                "navmap conflicts Data/ -o Merged.esp --draw conflict.svg",
                "a patch of what fits together, and a picture",
            ),
            (
                "navmap conflicts Data/ --choose Mod.esp:0100A2F4 -o Choice.esp",
                "a patch in which this version wins, with the links around it repaired",
            ),
        ],
    ),
    (
        "slim",
        &[
            ("navmap slim cp_steel.nav -o slim.nav", "without what the game does not use"),
            ("navmap slim de_dust2.nav --drop tail,approaches", "what that would save"),
        ],
    ),
    (
        "locate",
        &[
            ("navmap locate de_dust2.nav 100 -250 64", "the area there, its place, the height of the ground"),
            ("navmap locate de_dust2.nav - --format csv < deaths.csv", "a row for each point of a list"),
            ("navmap locate Data/ 1200 3400 96 --space Tamriel", "in a worldspace of a load order"),
        ],
    ),
    (
        "path",
        &[
            ("navmap path de_dust2.nav TSpawn BombsiteA", "the way that the game takes, step by step"),
            (
                "navmap path cp_steel.nav '#12' -300,20,64 --draw way.svg --avoid jump",
                "without jumps, and on the map",
            ),
            ("navmap path de_dust2.nav --table > costs.csv", "from every place to every other"),
        ],
    ),
    (
        "reach",
        &[
            ("navmap reach de_dust2.nav", "what no way leads to from the spawns, and traps"),
            ("navmap reach q2dm1.nav 0,0,24 --draw islands.png", "from a point, with a picture"),
        ],
    ),
    (
        "diff",
        &[
            (
                "navmap diff old/de_dust2.nav de_dust2.nav",
                "what changed, matched by where areas lie if ids differ",
            ),
            ("navmap diff --stat old/ new/", "one line for each map of two folders"),
            ("navmap diff old.nav new.nav --draw changes.svg", "both on one map"),
            (
                "git config diff.navmap.command 'navmap diff --git'",
                "what changed, in git diff and git log -p --ext-diff",
            ),
        ],
    ),
    (
        "analyze",
        &[
            (
                "navmap analyze a.nav -o b.nav",
                "spots and lists as the game computes them, and what needs the map",
            ),
            ("navmap analyze a.nav --bsp a.bsp -o b.nav", "cover, encounters, snipers and visibility too"),
            ("navmap analyze a.nav --only hiding,encounters --in-place", "after an edit: two parts, in full"),
            ("navmap analyze new.nav --places-from old.nav -o b.nav", "with the places of an older mesh"),
        ],
    ),
    (
        "generate",
        &[
            ("navmap generate de_dust.bsp -o de_dust.nav --game cz", "a mesh of a map, analysed"),
            (
                "navmap generate a.bsp -o a.nav --game css --quick",
                "its areas and links alone, to look at them",
            ),
            (
                "navmap generate a.bsp -o yard.nav --game css --box 0,0,-64..1024,1024,256",
                "a part of the map",
            ),
            (
                "navmap generate a.bsp --into old.nav --seed 640,-320,64 -o a.nav",
                "areas where the mesh has none, joined with it",
            ),
            ("navmap diff old.nav a.nav --draw changed.svg", "what that has changed, as a picture"),
        ],
    ),
    (
        "build",
        &[
            ("navmap build level.glb -o level.navmesh", "a mesh of a level for a person who walks"),
            (
                "navmap build level.obj --up z --unit 0.01 --agent 0.6,2,0.9,50 -o level.navmesh",
                "a model in centimetres, and somebody larger",
            ),
            (
                "navmap build level.glb -o level.navmesh --area water=1 --area lava=none",
                "materials as areas, and ground that nobody walks on",
            ),
            ("navmap build de_dust2.bsp -o de_dust2.navmesh", "a mesh of a map for another engine"),
        ],
    ),
    (
        "patch",
        &[
            (
                "navmap patch other.nav fix.txt -o fixed.nav",
                "what `navmap diff --script` wrote, on another version of the map",
            ),
            ("navmap diff old.nav new.nav --script | navmap patch other.nav - -o fixed.nav", "in one line"),
        ],
    ),
    (
        "merge",
        &[
            ("navmap merge base.nav ours.nav theirs.nav -o merged.nav", "both lines of change"),
            (
                "git config merge.navmap.driver 'navmap merge %O %A %B -o %A --force'",
                "let git merge meshes; .gitattributes: *.nav merge=navmap",
            ),
        ],
    ),
    (
        "trace",
        &[
            ("navmap trace de_dust2.bsp 0,0,64 0,0,-64", "how far a line gets, and what stops it"),
            (
                "navmap trace 'pak01_dir.vpk!maps/a.bsp' 0,0,64 500,0,64 --hull human",
                "whether a player fits through",
            ),
        ],
    ),
    (
        "completions",
        &[("navmap completions bash > ~/.local/share/bash-completion/completions/navmap", "for bash")],
    ),
    (
        "man",
        &[
            ("navmap man scan | man -l -", "read the page of one verb"),
            ("navmap man --all /usr/local/share/man/man1", "install the pages of all verbs"),
        ],
    ),
];

/// The meaning of a verb's exit status.
fn status(verb: &str) -> String {
    let one = match verb {
        "edit" | "patch" => "a command was refused, or the mesh cannot be read",
        "show" => "nothing is selected or lies there, or the mesh cannot be read",
        "locate" => "a point is on no area, or the mesh cannot be read",
        "path" => "there is no way, or the mesh cannot be read",
        "reach" => "something is not reached, or the mesh cannot be read",
        "trace" => "something is in the way, or the map cannot be read",
        "diff" => "they differ, or one cannot be read",
        "merge" => "conflicts, or a mesh that cannot be read",
        "fix" => "something is left or was not written",
        "conflicts" => "a choice is left, or a link or door that cannot be repaired",
        "scan" | "check" | "watch" => "findings or unreadable meshes",
        "convert" => {
            "the file cannot be read or become what is asked, or something would be lost and --lossless is given"
        }
        "build" => "the level cannot be read",
        "generate" => "the map cannot be read",
        "list" => "an archive cannot be read",
        "extract" => "an archive or a member cannot be read",
        "info" => "the mesh cannot be read to its end, or with --tiles findings of the whole map",
        "completions" | "man" => return "Exit status: 0 all is well, 2 the run failed.".to_owned(),
        _ => "a mesh cannot be read to its end",
    };
    format!("Exit status: 0 all is well, 1 {one}, 2 the run itself failed.")
}

/// The end of a help text: examples of a verb, or of the program.
pub(super) fn examples(verb: &str) -> String {
    let own: Vec<(&str, &str)> = match PAGES.iter().find(|(name, _)| *name == verb) {
        Some((_, examples)) => examples.to_vec(),
        None => PAGES.iter().take(4).filter_map(|(_, examples)| examples.first().copied()).collect(),
    };
    let mut text = String::from("Examples:\n");
    for (line, why) in own {
        text.push_str(&format!("  {line}\n      {why}\n"));
    }
    if verb == "convert" {
        text.push_str("\nWhat the new form cannot hold is named on stderr before anything is written.\n");
    }
    text.push('\n');
    text.push_str(&status(verb));
    text
}
