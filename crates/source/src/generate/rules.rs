//! The differences between games. `docs/formats/source-generate.md`, section 1.

use super::options::Game;

/// A game's constants of generation. All lengths are units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) gold: bool,
    /// Whether the game is of the later branch, which cuts under overhangs, finds stairs and replaces jump areas by links.
    pub(super) late: bool,
    /// The height of a human, and half of it.
    pub(super) human: f32,
    pub(super) half_human: f32,
    /// The height of a crouch jump.
    pub(super) jump_crouch: f32,
    /// A fall this deep kills.
    pub(super) death_drop: f32,
    /// The highest climb while exploring.
    pub(super) climb: f32,
    /// A step with a smaller change of height leads back as well.
    pub(super) level: f32,
}

impl Rules {
    pub(super) fn for_game(game: Game) -> Self {
        let [human, half_human] = match game {
            Game::ConditionZero | Game::CounterStrikeSource => [72.0, 36.0],
            _ => [71.0, 35.5],
        };
        let [jump_crouch, death_drop, climb] = match game {
            Game::TeamFortress | Game::GarrysMod => [64.0, 400.0, 200.0],
            _ => [58.0, 200.0, 58.0],
        };
        let gold = game.is_gold();
        let level = if gold { 10.0 } else { 50.0 };
        let late = !matches!(game, Game::ConditionZero | Game::CounterStrikeSource);
        Self { gold, late, human, half_human, jump_crouch, death_drop, climb, level }
    }
}
