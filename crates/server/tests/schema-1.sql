-- A database as version 1 of the schema wrote it, with one game.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    beginning TEXT NOT NULL,
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
PRAGMA user_version = 1;
INSERT INTO games VALUES (
    'oldgame',
    '{"said":{"kind":"chess","rules":"standard","moves":["d2d4"]},"players":{"first":{"who":"person","name":"the \"who\":\"person\" of \"players\":"},"second":{"who":"engine","level":0}},"clock":{"initial":60000,"increment":0},"tags":[["Event","\"said\":"]]}',
    '{"id":"oldgame","version":7,"kind":"chess","rules":"standard","created":5,"updated":12,"players":{"first":{"who":"person","name":"the \"who\":\"person\" of \"players\":"},"second":{"who":"engine","level":0}},"turn":"first","plies":2,"position":"rnbqkbnr/pppp1ppp/8/4p3/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2","outcome":{"over":true,"winner":"second","reason":"time forfeit","words":"Black has won by time forfeit"},"last":"e5"}',
    5,
    12
);
INSERT INTO entries VALUES
    ('oldgame', 2, 6, '{"what":{"move":"e7e5"},"left":{"first":60000,"second":60000}}'),
    ('oldgame', 3, 8, '{"what":{"draw":["first","offer"]},"left":{"first":59000,"second":60000}}'),
    ('oldgame', 4, 9, '{"what":{"draw":["second","decline"]},"left":{"first":58000,"second":60000}}'),
    ('oldgame', 5, 10, '{"what":{"resign":"first"},"left":{"first":57000,"second":60000}}'),
    ('oldgame', 6, 11, '{"what":"retract","left":{"first":60000,"second":60000}}'),
    ('oldgame', 7, 12, '{"what":{"flag":"first"},"left":{"first":0,"second":60000}}');
