//! A set of games: farms side by side, each in a folder of its own, done together. A farm alone is a set of one.
//!
//! The file `games` (kind `set`) has a line `farm <folder>` for each, in the order in which they are planned and done.

use super::error::FarmError;
use super::folder::Folder;
use super::plan::{Plan, Round};
use super::sealed::{Damage, lines};
use std::fs;
use std::path::{Path, PathBuf};

/// The kind of the file.
pub const KIND: &str = "set";

/// Farms in one folder.
#[derive(Clone, Debug)]
pub struct Set {
    folder: Folder,
    farms: Vec<Folder>,
}

/// The names of a set's folders, as its file has them.
pub fn body(names: &[String]) -> String {
    names.iter().map(|name| format!("farm {name}\n")).collect()
}

/// Reads them. A name is one folder and leads nowhere else.
pub fn read(body: &str) -> Result<Vec<String>, Damage> {
    let mut names = Vec::new();
    for mut words in lines(body) {
        let (line, kind, name) = (words.line, words.word("farm")?, words.word("folder")?);
        let elsewhere = name.contains(|c: char| c == '/' || c == '\\' || c.is_control()) || name.starts_with('.');
        if kind != "farm" || elsewhere || names.iter().any(|other| other == name) {
            return Err(Damage::at(line, "this names no farm of the set"));
        }
        names.push(name.to_owned());
        words.end()?;
    }
    Ok(names)
}

impl Set {
    /// The farms of a folder: those of its set, or the folder itself.
    pub fn at(path: &Path) -> Result<Set, FarmError> {
        let folder = Folder::at(path);
        let file = list(path);
        let farms = match file.is_file() {
            true => {
                let names = read(&folder.unsealed(&file, KIND)?).map_err(FarmError::damaged(&file))?;
                names.iter().map(|name| Folder::at(&path.join(name))).collect()
            }
            false => vec![folder.clone()],
        };
        Ok(Set { folder, farms })
    }

    /// Makes a folder for farms of these names. They are there when they are planned; where that was cut short, the same
    /// names go on with it.
    pub fn make(path: &Path, names: &[String]) -> Result<Set, FarmError> {
        let (folder, file) = (Folder::at(path), list(path));
        if file.exists() {
            let set = Set::at(path)?;
            let same = set.farms.iter().map(Folder::path).eq(names.iter().map(|name| path.join(name)));
            return if same && !set.farms.iter().all(Folder::has_plan) {
                Ok(set)
            } else {
                Err(FarmError::Taken(path.to_owned()))
            };
        }
        if folder.has_plan() {
            return Err(FarmError::Taken(path.to_owned()));
        }
        let logs = folder.logs();
        fs::create_dir_all(&logs).map_err(FarmError::file(&logs))?;
        folder.write(&file, KIND, &body(names))?;
        Set::at(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder that the farms lie in, or the only one.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Each of the farms.
    pub fn farms(&self) -> &[Folder] {
        &self.farms
    }

    /// The farm, if there is but one and its folder is this one.
    pub fn alone(&self) -> Option<&Folder> {
        self.farms.first().filter(|farm| farm.path() == self.path())
    }

    /// The plan and the last round of each.
    pub fn last_rounds(&self) -> Result<Vec<(Plan, Round)>, FarmError> {
        let last = |farm: &Folder| {
            let plan = farm.read_plan()?;
            let round = farm.read_round(&plan, plan.round)?;
            Ok((plan, round))
        };
        self.farms.iter().map(last).collect()
    }
}

fn list(path: &Path) -> PathBuf {
    path.join("games")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_names_its_farms_and_no_other_folder() {
        let names = vec!["tic-3x3-plain-weak".to_owned(), "el-3x3-torus-strong".to_owned()];
        assert_eq!(read(&body(&names)).unwrap(), names);
        for wrong in [
            "farm ../x",
            "farm /etc",
            "farm .",
            "farm a/b",
            "farm a b",
            "farm a\u{7}b",
            "job a",
            "farm",
            "farm a\nfarm a",
        ] {
            assert!(read(&format!("{wrong}\n")).is_err(), "{wrong}");
        }
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("set");
        let set = Set::make(&path, &names).unwrap();
        assert_eq!(set.farms().len(), 2);
        assert!(set.alone().is_none());
        // It goes on where it was cut short, with the same games only, until all are planned.
        assert_eq!(Set::make(&path, &names).unwrap().farms().len(), 2);
        assert!(matches!(Set::make(&path, &names[..1]), Err(FarmError::Taken(_))));
        assert!(set.last_rounds().is_err(), "nothing is planned yet");
        for folder in set.farms() {
            folder.make().unwrap();
            fs::write(folder.plan(), "").unwrap();
        }
        assert!(matches!(Set::make(&path, &names), Err(FarmError::Taken(_))));
        assert!(Set::at(place.path()).unwrap().alone().is_some());
    }
}
