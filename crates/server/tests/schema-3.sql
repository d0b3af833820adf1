-- A database as version 3 of the schema wrote it, with three finished games.
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
PRAGMA user_version = 3;
INSERT INTO games VALUES
    ('mated', '{"position":{"kind":"chess","moves":[]},"seats":{"first":{"type":"human","name":"An"},"second":{"type":"human","name":"Bình"}},"clock":{"initial":300000,"increment":2000},"tags":[["Event","An evening"]]}', '{"id":"mated","version":7,"kind":"chess","rules":"standard","created":1794885579874,"updated":1794885580176,"seats":{"first":{"type":"human","name":"An"},"second":{"type":"human","name":"Bình"}},"turn":"first","plies":4,"position":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3","outcome":{"over":true,"winner":"second","reason":"checkmate","description":"Black wins (checkmate)"},"last_move":"Qh4#"}', 1794885579874, 1794885580176),
    ('drawn', '{"position":{"kind":"cotulenh","moves":[]},"seats":{"first":{"type":"human"},"second":{"type":"human"}},"clock":null,"tags":[]}', '{"id":"drawn","version":5,"kind":"cotulenh","rules":"standard","created":1794885580182,"updated":1794885580303,"seats":{"first":{"type":"human"},"second":{"type":"human"}},"turn":"first","plies":2,"position":"5c5/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2I1E1M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 2 2","outcome":{"over":true,"winner":null,"reason":"agreement","description":"draw (agreement)"},"last_move":"Cf12"}', 1794885580182, 1794885580303),
    ('resigned', '{"position":{"kind":"tribun","moves":[]},"seats":{"first":{"type":"human"},"second":{"type":"engine","level":0}},"clock":null,"tags":[]}', '{"id":"resigned","version":2,"kind":"tribun","rules":"standard","created":1794885580312,"updated":1794885580320,"seats":{"first":{"type":"human"},"second":{"type":"engine","level":0}},"turn":"first","plies":0,"position":"black:a1=1*,a3=2,a4=2,b2=3,b3=3,b4=2,b6=1,c1=2,c2=3,c3=2,c5=2,c6=1,d1=2,d2=2,d5=1,d6=1,e3=2,e4=1,f2=1,f3=1,f4=1 white:f8=1,f9=1,f10=1,g8=1,g9=2,h6=1,h7=1,h10=2,h11=2,i6=1,i7=2,i9=2,i10=3,i11=2,j6=1,j8=2,j9=3,j10=3,k8=2,k9=2,k11=1* b -","outcome":{"over":true,"winner":"second","reason":"resignation","description":"White wins (resignation)"},"last_move":null}', 1794885580312, 1794885580320);
INSERT INTO entries VALUES
    ('mated', 2, 1794885579884, '{"event":{"move":"f2f3"},"left":{"first":300000,"second":300000}}'),
    ('mated', 3, 1794885579919, '{"event":{"move":"e7e5"},"left":{"first":300000,"second":301966}}'),
    ('mated', 4, 1794885580073, '{"event":{"move":"g2g4"},"left":{"first":301845,"second":301966}}'),
    ('mated', 5, 1794885580146, '{"event":{"undo":1},"left":{"first":300000,"second":301966}}'),
    ('mated', 6, 1794885580155, '{"event":{"move":"g2g4"},"left":{"first":301992,"second":301966}}'),
    ('mated', 7, 1794885580176, '{"event":{"move":"d8h4"},"left":{"first":301992,"second":303944}}'),
    ('drawn', 2, 1794885580202, '{"event":{"move":"Ed5e5"}}'),
    ('drawn', 3, 1794885580224, '{"event":{"move":"Cg12f12"}}'),
    ('drawn', 4, 1794885580237, '{"event":{"draw":["first","offer"]}}'),
    ('drawn', 5, 1794885580303, '{"event":{"draw":["second","accept"]}}'),
    ('resigned', 2, 1794885580320, '{"event":{"resign":"first"}}');
