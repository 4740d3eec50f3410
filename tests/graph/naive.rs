//! Slow and simple answers.

/// Component labels by merging whole labels, link by link.
pub(crate) fn weak(nodes: usize, links: &[(u32, u32)]) -> Vec<u32> {
    let mut label: Vec<u32> = (0..nodes as u32).collect();
    for &(a, b) in links {
        let (a, b) = (label[a as usize], label[b as usize]);
        label.iter_mut().filter(|l| **l == a).for_each(|l| *l = b);
    }
    label
}

/// Component labels by asking for every pair whether each reaches the other.
pub(crate) fn strong(nodes: usize, links: &[(u32, u32)]) -> Vec<u32> {
    let mut reach = vec![vec![false; nodes]; nodes];
    (0..nodes).for_each(|n| reach[n][n] = true);
    links.iter().for_each(|&(a, b)| reach[a as usize][b as usize] = true);
    for via in 0..nodes {
        for from in 0..nodes {
            if reach[from][via] {
                let beyond = reach[via].clone();
                reach[from].iter_mut().zip(beyond).for_each(|(reached, more)| *reached |= more);
            }
        }
    }
    (0..nodes).map(|a| (0..nodes).find(|&b| reach[a][b] && reach[b][a]).unwrap() as u32).collect()
}

/// Both labellings put the same nodes together.
pub(crate) fn assert_same_partition(ours: &[u32], theirs: &[u32], round: u32) {
    assert_eq!(ours.len(), theirs.len());
    for a in 0..ours.len() {
        for b in 0..a {
            assert_eq!(ours[a] == ours[b], theirs[a] == theirs[b], "round {round}, nodes {a} and {b}");
        }
    }
}
