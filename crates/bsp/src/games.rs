//! Which game a map is of, and which meshes may be of it.

use super::lumps::Engine;
use super::map::BspMap;
use navmap_core::error::{Error, Result};
use navmap_source::HeadBuf;
use navmap_source::generate::Game;

impl BspMap {
    /// The games that the map tells: by its engine, and by where its teams begin. Garry's Mod, which plays the maps of all of them, is
    /// never told.
    pub fn games(&self) -> Vec<Game> {
        let has = |class: &str| self.entities().of_class(class).next().is_some();
        let strike = has("info_player_terrorist") || has("info_player_counterterrorist");
        match self.engine() {
            Engine::GoldSrc => vec![Game::ConditionZero],
            Engine::Source => [
                (Game::TeamFortress, has("info_player_teamspawn")),
                (Game::CounterStrikeSource, strike && self.version() < 21),
                (Game::CounterStrikeGo, strike && self.version() >= 21),
            ]
            .into_iter()
            .filter_map(|(game, fits)| fits.then_some(game))
            .collect(),
        }
    }

    /// Refuses a mesh of another engine.
    ///
    /// # Errors
    /// If a mesh of this version is of no map of this engine.
    pub fn check_engine(&self, mesh: &HeadBuf) -> Result<()> {
        let gold = mesh.version <= 5;
        if gold == (self.engine() == Engine::GoldSrc) {
            return Ok(());
        }
        let why = format!("is of another engine than a mesh of version {}", mesh.version);
        Err(Error::invalid("map", why))
    }

    /// Refuses a game of another engine.
    ///
    /// # Errors
    /// If it does not play maps of this engine.
    pub fn check_game(&self, game: Game) -> Result<()> {
        if game.is_gold() == (self.engine() == Engine::GoldSrc) {
            return Ok(());
        }
        let engine = if game.is_gold() { "Source" } else { "GoldSrc" };
        Err(Error::invalid("map", format!("is one of {engine}: {game} does not play it")))
    }
}
