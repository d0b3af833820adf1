-- A database as version 2 of the schema wrote it, with one game.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    summary TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL
) STRICT;
CREATE INDEX games_by_date ON games (updated DESC, id);
CREATE TABLE entries (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = 2;
INSERT INTO games VALUES
    ('oldgame', '{"position":{"kind":"chess","rules":"standard","moves":["d2d4"]},"seats":{"first":{"type":"human","name":"the \"who\":\"person\" of \"players\":"},"second":{"type":"engine","level":0}},"clock":{"initial":60000,"increment":0},"tags":[["Event","\"said\":"]]}', '{"id":"oldgame","version":7,"kind":"chess","rules":"standard","created":5,"updated":12,"seats":{"first":{"type":"human","name":"the \"who\":\"person\" of \"players\":"},"second":{"type":"engine","level":0}},"turn":"first","plies":2,"position":"rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2","outcome":{"over":true,"winner":"second","reason":"time forfeit","description":"Black has won by time forfeit"},"last_move":"e5"}', 5, 12);
INSERT INTO entries VALUES
    ('oldgame', 2, 6, '{"event":{"move":"e7e5"},"left":{"first":60000,"second":60000}}'),
    ('oldgame', 3, 8, '{"event":{"draw":["first","offer"]},"left":{"first":59000,"second":60000}}'),
    ('oldgame', 4, 9, '{"event":{"draw":["second","decline"]},"left":{"first":58000,"second":60000}}'),
    ('oldgame', 5, 10, '{"event":{"resign":"first"},"left":{"first":57000,"second":60000}}'),
    ('oldgame', 6, 11, '{"event":"undo_end","left":{"first":60000,"second":60000}}'),
    ('oldgame', 7, 12, '{"event":{"flag_fall":"first"},"left":{"first":0,"second":60000}}');
