//! Navmeshes under construction: sheets of triangles with true neighbours, cover, bounds and grid, for every version.

use crate::bytes::{Out, Rng};

/// Hash before the owner of a mesh.
pub const PATHING_CELL: u32 = 0xA5E9_A03C;
/// Hash before a door's reference.
pub const PATHING_DOOR: u32 = 0xE48B_73F3;

/// Where a mesh belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In an interior cell.
    Interior(u32),
    /// In a worldspace, at column x and row y.
    Exterior(u32, i16, i16),
}

/// A triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    /// Corners, counter-clockwise.
    pub v: [u16; 3],
    /// Edge values.
    pub e: [u16; 3],
    /// Flags.
    pub flags: u16,
    /// Cover flags; in later versions the edges with cover.
    pub cover: u16,
}

/// An edge link: kind, target mesh, its triangle, its edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Kind.
    pub kind: u32,
    /// FormID of the target.
    pub navmesh: u32,
    /// Triangle there.
    pub triangle: u16,
    /// Edge there.
    pub edge: u8,
}

/// A mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    /// NVNM version.
    pub version: u32,
    /// Where it belongs.
    pub place: Place,
    /// Vertices.
    pub vertices: Vec<[f32; 3]>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// Edge links.
    pub links: Vec<Link>,
    /// Doors: triangle, reference.
    pub doors: Vec<(u16, u32)>,
    /// Waypoints: place, triangle.
    pub waypoints: Vec<([f32; 3], u16)>,
    /// Targets of links between two preferred triangles.
    pub preferred: Vec<u32>,
}

impl Mesh {
    /// A sheet of `columns` by `rows` squares, two triangles each, slightly uneven. In a worldspace it fills its cell of 4,096
    /// units; in an interior, squares are 64 units wide. South and north borders have cover.
    pub fn sheet(version: u32, place: Place, columns: u16, rows: u16, seed: u64) -> Self {
        let mut rng = Rng(seed);
        let (x0, y0, wide, high) = match place {
            Place::Interior(_) => (-512.0, 256.0, 64.0, 64.0),
            Place::Exterior(_, x, y) => {
                let (wide, high) = (4096.0 / f32::from(columns), 4096.0 / f32::from(rows));
                (f32::from(x) * 4096.0, f32::from(y) * 4096.0, wide, high)
            }
        };
        let mut vertices = Vec::new();
        for row in 0..=rows {
            for column in 0..=columns {
                let (x, y) = (x0 + f32::from(column) * wide, y0 + f32::from(row) * high);
                vertices.push([x, y, rng.f32(-40.0, 40.0).round()]);
            }
        }
        let vertex = |column: u16, row: u16| row * (columns + 1) + column;
        let lower = |column: u16, row: u16| row.wrapping_mul(columns).wrapping_add(column).wrapping_mul(2);
        let at = |inside: bool, triangle: u16| if inside { triangle } else { 0xFFFF };
        let mut triangles = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let (sw, se) = (vertex(column, row), vertex(column + 1, row));
                let (nw, ne) = (vertex(column, row + 1), vertex(column + 1, row + 1));
                let (a, b) = (lower(column, row), lower(column, row) + 1);
                let flags =
                    0x0800 | if row == rows / 2 { 0x40 } else { 0 } | if column % 5 == 4 { 0x200 } else { 0 };
                let south = at(row > 0, lower(column, row.wrapping_sub(1)).wrapping_add(1));
                let north = at(row + 1 < rows, lower(column, row + 1));
                let east = at(column + 1 < columns, lower(column + 1, row).wrapping_add(1));
                let west = at(column > 0, lower(column.wrapping_sub(1), row));
                // Edge 0 in the south, edge 1 in the north: the two that can carry cover in version 12.
                let (low, high) = if version > 12 { (1, 2) } else { (5, 15 << 6) };
                let south_cover = if row == 0 && column % 2 == 0 { low } else { 0 };
                let north_cover = if row + 1 == rows && column % 3 == 0 { high } else { 0 };
                triangles.push(Triangle { v: [sw, se, ne], e: [south, east, b], flags, cover: south_cover });
                triangles.push(Triangle { v: [sw, ne, nw], e: [a, north, west], flags, cover: north_cover });
            }
        }
        let waypoints = if version > 12 { vec![(vertices[0], 0)] } else { Vec::new() };
        let (links, doors, preferred) = (Vec::new(), Vec::new(), Vec::new());
        Self { version, place, vertices, triangles, links, doors, waypoints, preferred }
    }

    /// Makes edge `edge` of `triangle` a link.
    pub fn link(&mut self, triangle: u16, edge: u8, link: Link) {
        let index = self.links.len() as u16;
        self.links.push(link);
        let t = &mut self.triangles[usize::from(triangle)];
        t.e[usize::from(edge)] = index;
        t.flags |= 1 << edge;
        // A linked edge is not a border: it loses its cover.
        t.cover = if self.version > 12 {
            t.cover & !(1 << edge)
        } else {
            t.cover & [0xFFC0, 0xF03F, 0xFFFF][usize::from(edge)]
        };
    }

    /// Puts a door on a triangle.
    pub fn door(&mut self, triangle: u16, reference: u32) {
        self.doors.push((triangle, reference));
        self.triangles[usize::from(triangle)].flags |= 0x0400;
    }

    /// Triangles with cover, ascending.
    pub fn cover_triangles(&self) -> Vec<u16> {
        (0u16..).zip(&self.triangles).filter(|(_, t)| t.cover & 0x3CF != 0).map(|(i, _)| i).collect()
    }

    /// Edges with cover, as keys of the edge map.
    fn cover_keys(&self) -> Vec<u16> {
        let of = |(i, t): (u16, &Triangle)| {
            (0..3).filter(move |e| t.cover >> e & 1 != 0).map(move |e| i * 4 + e).collect::<Vec<_>>()
        };
        (0u16..).zip(&self.triangles).flat_map(of).collect()
    }

    /// What tables call `cover_triangles`.
    pub fn cover_count(&self) -> usize {
        if self.version > 12 { self.cover_keys().len() } else { self.cover_triangles().len() }
    }

    /// Bounds of the vertices.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        let all = || self.vertices.iter();
        let fold = |i: usize, f: fn(f32, f32) -> f32| all().map(|v| v[i]).reduce(f).unwrap_or(0.0);
        (std::array::from_fn(|i| fold(i, f32::min)), std::array::from_fn(|i| fold(i, f32::max)))
    }

    /// The divisor of the grid.
    pub fn divisor(&self) -> u32 {
        let n = self.triangles.len() as u32;
        if n <= 16 { 1 } else { (n / 50 + 2).min(12) }
    }

    /// The lists of the grid, by bounding box: at least all triangles that touch a cell.
    pub fn grid_lists(&self) -> Vec<Vec<u16>> {
        let d = self.divisor();
        let (min, max) = self.bounds();
        let mut lists = vec![Vec::new(); (d * d) as usize];
        for (index, t) in (0u16..).zip(&self.triangles) {
            let range = |axis: usize| {
                let size = (max[axis] - min[axis]) * (1.0 / d as f32);
                let values = t.v.map(|v| self.vertices.get(usize::from(v)).map_or(min[axis], |v| v[axis]));
                let cell = |v: f32| (((v - min[axis]) / size) as u32).min(d - 1);
                let low = values.into_iter().fold(f32::MAX, f32::min);
                let high = values.into_iter().fold(f32::MIN, f32::max);
                cell(low)..=cell(high)
            };
            for y in range(1) {
                for x in range(0) {
                    lists[(y * d + x) as usize].push(index);
                }
            }
        }
        lists
    }

    /// Hash, worldspace and place: as in NVNM and NVMI.
    pub fn owner(&self, out: &mut Out) {
        out.u32(PATHING_CELL);
        match self.place {
            Place::Interior(cell) => out.u32(0).u32(cell),
            Place::Exterior(world, x, y) => out.u32(world).u16(y as u16).u16(x as u16),
        };
    }

    fn grid(&self, out: &mut Out, narrow: bool) {
        let d = self.divisor();
        let (min, mut max) = self.bounds();
        out.u32(d);
        for axis in 0..2 {
            out.f32((max[axis] - min[axis]) * (1.0 / d as f32));
        }
        if self.version > 12 {
            // The height covers the triangles' clearance, which is unlimited.
            max[2] = f32::MAX;
        }
        out.f32s(&min).f32s(&max);
        for list in self.grid_lists() {
            if narrow {
                out.u16(list.len() as u16)
            } else {
                out.u32(list.len() as u32)
            };
            list.iter().for_each(|t| {
                out.u16(*t);
            });
        }
    }

    /// The NVNM field.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out::new();
        let later = self.version > 12;
        let starfield = self.version > 15;
        out.u32(self.version);
        self.owner(&mut out);
        out.u32(self.vertices.len() as u32);
        for v in &self.vertices {
            out.f32s(v);
            if starfield {
                out.u32(1);
            }
        }
        out.u32(self.triangles.len() as u32);
        for t in &self.triangles {
            t.v.iter().chain(&t.e).for_each(|v| {
                out.u16(*v);
            });
            if later {
                out.f32(f32::MAX).u8(4);
            }
            out.u16(t.flags).u16(t.cover);
        }
        out.u32(self.links.len() as u32);
        for link in &self.links {
            out.u32(link.kind).u32(link.navmesh).u16(link.triangle);
            if later {
                out.u8(link.edge);
            }
        }
        out.u32(self.doors.len() as u32);
        for (triangle, reference) in &self.doors {
            out.u16(*triangle).u32(PATHING_DOOR).u32(*reference);
        }
        if later {
            let keys = self.cover_keys();
            out.u32(keys.len() as u32);
            for key in &keys {
                // From the start of the edge half way along the border.
                let triangle = self.triangles[usize::from(key / 4)];
                out.u16(triangle.v[usize::from(key % 4)]).u16(0x8000);
                if starfield {
                    out.u32(0x100).u32(7)
                } else {
                    out.u32(2)
                };
            }
            out.u32(keys.len() as u32);
            for (index, key) in (0u16..).zip(&keys) {
                out.u16(*key).u16(index);
            }
            out.u32(self.waypoints.len() as u32);
            for (point, triangle) in &self.waypoints {
                out.f32s(point).u16(*triangle).u32(0);
            }
        } else {
            let cover = self.cover_triangles();
            out.u32(cover.len() as u32);
            cover.iter().for_each(|t| {
                out.u16(*t);
            });
        }
        self.grid(&mut out, false);
        if starfield {
            out.u16(12).u16(8);
        }
        out.0
    }

    /// The separate fields of Fallout 3, by name.
    pub fn encode_separate(&self, cell: u32) -> Vec<([u8; 4], Vec<u8>)> {
        let made = |make: &dyn Fn(&mut Out)| {
            let mut out = Out::new();
            make(&mut out);
            out.0
        };
        let cover = self.cover_triangles();
        let counts =
            [self.vertices.len(), self.triangles.len(), self.links.len(), cover.len(), self.doors.len()];
        vec![
            (
                *b"NVER",
                made(&|out| {
                    out.u32(11);
                }),
            ),
            (
                *b"DATA",
                made(&|out| {
                    out.u32(cell);
                    counts.iter().for_each(|n| {
                        out.u32(*n as u32);
                    });
                }),
            ),
            (
                *b"NVVX",
                made(&|out| {
                    self.vertices.iter().for_each(|v| {
                        out.f32s(v);
                    })
                }),
            ),
            (
                *b"NVTR",
                made(&|out| {
                    for t in &self.triangles {
                        t.v.iter().chain(&t.e).for_each(|v| {
                            out.u16(*v);
                        });
                        out.u16(t.flags).u16(t.cover);
                    }
                }),
            ),
            (
                *b"NVCA",
                made(&|out| {
                    cover.iter().for_each(|t| {
                        out.u16(*t);
                    })
                }),
            ),
            (
                *b"NVDP",
                made(&|out| {
                    self.doors.iter().for_each(|(t, door)| {
                        out.u32(*door).u16(*t).u16(0);
                    })
                }),
            ),
            (*b"NVGD", made(&|out| self.grid(out, true))),
            (
                *b"NVEX",
                made(&|out| {
                    for link in &self.links {
                        out.u32(link.kind).u32(link.navmesh).u16(link.triangle);
                    }
                }),
            ),
        ]
    }

    /// The entry of the info map.
    pub fn map_entry(&self, form: u32, island: bool) -> Vec<u8> {
        let mut out = Out::new();
        let n = self.vertices.len().max(1) as f32;
        // A running sum of floats, times the reciprocal.
        let center: [f32; 3] =
            std::array::from_fn(|i| self.vertices.iter().fold(0.0_f32, |sum, v| sum + v[i]) * (1.0 / n));
        let preferred = self.triangles.iter().filter(|t| t.flags & 0x40 != 0).count();
        out.u32(form).u32(if island { 0x20 } else { 0 });
        out.f32s(&center).f32(preferred as f32 / self.triangles.len() as f32);
        let mut linked: Vec<u32> = self.links.iter().map(|l| l.navmesh).filter(|f| *f != form).collect();
        linked.sort_unstable();
        linked.dedup();
        let (roads, others): (Vec<u32>, Vec<u32>) =
            linked.into_iter().partition(|form| self.preferred.contains(form));
        for list in [others, roads] {
            out.u32(list.len() as u32);
            list.iter().for_each(|f| {
                out.u32(*f);
            });
        }
        out.u32(self.doors.len() as u32);
        self.doors.iter().for_each(|(_, door)| {
            out.u32(PATHING_DOOR).u32(*door);
        });
        let starfield = self.version > 15;
        if starfield {
            out.u32(0);
        }
        out.u8(island.into());
        if island {
            let (min, max) = self.bounds();
            out.f32s(&min).f32s(&max).u32(1).u16(0).u16(1).u16(2).u32(3);
            out.f32s(&min).f32s(&[max[0], min[1], min[2]]).f32s(&max);
        }
        self.owner(&mut out);
        if starfield {
            out.u8(0).u32(0);
        }
        out.0
    }
}
