//! What a worker has learned from others: the facts in their files, taken over into his own tables.

use super::facts::{self, Facts, Pool};
use super::folder::Folder;
use super::sealed::unseal;
use crate::engines::facts::Fact;
use crate::settle::workbench::Workbench;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What was read so far, and what was said: nobody is told twice.
pub struct Learned<const N: usize> {
    vertices: usize,
    pool: Pool<N>,
    /// The jobs whose files were read.
    jobs: BTreeSet<u32>,
}

impl<const N: usize> Learned<N> {
    /// Nothing yet, of a game of so many vertices.
    pub fn new(vertices: usize) -> Learned<N> {
        Learned { vertices, pool: Pool::default(), jobs: BTreeSet::new() }
    }

    /// Takes over the facts of a file, if it is there and whole: they are a help, nothing depends on them. The nodes they
    /// were found with.
    pub fn take(&mut self, bench: &Workbench<N>, path: &Path) -> u64 {
        self.take_some(bench, path, |_| true)
    }

    /// Takes over what was decided in these jobs, if that was not done before. How far others are with what is open would draw
    /// all workers to the same positions: with it two took 2.7 to 16.3 million nodes for 5cells3 7x7, without 2.6 to 4.4
    /// (2026-11-19; one takes 3.7 to 6.4).
    pub fn take_decided(&mut self, bench: &Workbench<N>, folder: &Folder, jobs: impl Iterator<Item = u32>) {
        for job in jobs {
            if self.jobs.insert(job) {
                self.take_some(bench, &folder.learned(job), Fact::is_decided);
            }
        }
    }

    fn take_some(&mut self, bench: &Workbench<N>, path: &Path, wanted: impl Fn(&Fact<N>) -> bool) -> u64 {
        let read = fs::read(path).ok().and_then(|bytes| unseal(facts::KIND, &bytes).ok());
        let Some(Ok(Facts { spent, list })) = read.map(|body| Facts::read(&body, self.vertices)) else { return 0 };
        for fact in list.into_iter().filter(wanted) {
            bench.learn(&fact);
            self.pool.add(fact);
        }
        spent
    }

    /// What nobody was told yet of a job's facts, the dearest, at most so many; now they are.
    pub fn tell(&mut self, job: u32, found: Vec<Fact<N>>, most: usize) -> Vec<Fact<N>> {
        let mut new = Pool::default();
        found.into_iter().filter(|fact| !self.pool.has(fact)).for_each(|fact| new.add(fact));
        let list = new.into_list(most);
        list.iter().for_each(|fact| self.pool.add(*fact));
        self.jobs.insert(job);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::facts::{Kind, Says};
    use crate::engines::numbers::Numbers;
    use crate::farm::prober::workbench;
    use crate::game::Game;
    use harary_certificate::{Board, Cell, CellSet, Rule, Shape, Stones, Topology};

    #[test]
    fn what_is_open_elsewhere_is_not_taken_over_and_nothing_is_said_twice() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::at(place.path());
        folder.make().unwrap();
        let board = Board::new(5, 5, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("XXXX").unwrap(), board, Rule::Weak);
        let bench = || workbench::<1>(&game, 16 << 20, 1);
        let position = |bits: u64| {
            let stones = Stones { black: CellSet::from_words([bits]), white: CellSet::EMPTY };
            Stones { white: CellSet::<1>::first_cells(25) - stones.black, ..stones }
        };
        let zone = CellSet::<1>::first_cells(25) - CellSet::from_words([7]);
        let held = Says::Held { zone, best: None::<Cell>, left: 0 };
        let open = Says::Open(Numbers { proof: 7, disproof: 9 });
        let facts = |says: [Says<1>; 2]| {
            let fact = |bits, says| Fact { kind: Kind::Weak, key: position(bits), effort: 9, says };
            vec![fact(7, says[0]), fact(0x1c0, says[1])]
        };
        let list = facts([held, open]);
        let write = |job: u32, list: &[Fact<1>]| {
            let body = Facts { spent: 5, list: list.to_vec() }.body();
            folder.write(&folder.learned(job), facts::KIND, &body).unwrap();
        };
        write(3, &list);
        let (whole, some) = (bench(), bench());
        let mut learned = Learned::<1>::new(25);
        assert_eq!(learned.take(&whole, &folder.learned(3)), 5);
        assert_eq!(whole.facts(10).len(), 2);
        let mut learned = Learned::<1>::new(25);
        learned.take_decided(&some, &folder, [3, 4].into_iter());
        assert!(some.facts(10).iter().all(Fact::is_decided) && some.facts(10).len() == 1);
        // Only what nobody has said is told, and once.
        assert_eq!(learned.tell(6, list.clone(), 10), [list[1]]);
        assert!(learned.tell(7, list, 10).is_empty());
        // A file that was read is not read again; one that was not there is not waited for.
        write(4, &facts([open, held]));
        learned.take_decided(&some, &folder, [3, 4].into_iter());
        assert_eq!(some.facts(10).len(), 1);
    }
}
