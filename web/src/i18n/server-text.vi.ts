// The server's text in Vietnamese: error messages, faults of a setup, planes and fields.

import type { Catalog } from './server-text';

export const catalog: Catalog = {
  // General forms.
  '{}: {}': '{1}: {2}',
  '{} or {}': '{1} hoặc {2}',
  'line {}: {}': 'dòng {1}: {2}',
  'line {}, column {}: {}': 'dòng {1}, cột {2}: {3}',
  'at character {}: {}': 'ở ký tự thứ {1}: {2}',
  'move {}: {}': 'nước thứ {1}: {2}',
  'step {}: {}': 'bước {1}: {2}',
  'action {}: {}': 'hành động {1}: {2}',
  'unknown {} `{}`: expected {}': '{1} không xác định `{2}`: cần {3}',
  'invalid {} `{}`: expected {}': '{1} không hợp lệ `{2}`: cần {3}',
  '{} is out of range: expected a number below {}': '{1} nằm ngoài phạm vi: cần một số nhỏ hơn {2}',
  game: 'môn cờ',
  rules: 'luật',

  // Requests.
  'path not found': 'không tìm thấy đường dẫn',
  'method not allowed for this path': 'đường dẫn này không nhận phương thức đó',
  'game `{}` not found': 'không tìm thấy ván cờ `{1}`',
  'position too long: {} bytes, at most {}': 'thế cờ quá dài: {1} byte, nhiều nhất {2}',
  'move too long: {} bytes, at most {}': 'nước đi quá dài: {1} byte, nhiều nhất {2}',
  'record too long: {} bytes, at most {}': 'biên bản quá dài: {1} byte, nhiều nhất {2}',
  'too many moves: {}, at most {}': 'quá nhiều nước đi: {1}, nhiều nhất {2}',
  'too many tags: {}, at most {}': 'quá nhiều thẻ: {1}, nhiều nhất {2}',
  'player name too long: {} characters, at most {}': 'tên người chơi quá dài: {1} ký tự, nhiều nhất {2}',
  'unknown level {}: expected 0 to 9': 'không có cấp {1}: cần từ 0 đến 9',
  'clock out of range: expected an initial time from 1 second to 31 days and an increment of at most 31 days':
    'đồng hồ nằm ngoài phạm vi: thời gian ban đầu từ 1 giây đến 31 ngày, thời gian cộng thêm nhiều nhất 31 ngày',
  'expected either `text` or `index`': 'cần `text` hoặc `index`',
  'stale version {}: the game is at version {}': 'phiên bản cũ {1}: ván cờ đang ở phiên bản {2}',
  '`limit` out of range: {}, expected 1 to {}': '`limit` nằm ngoài phạm vi: {1}, cần từ 1 đến {2}',
  '`{}` out of range: {}, expected {}': '`{1}` nằm ngoài phạm vi: {2}, cần {3}',
  '1 to {}': '1 đến {1}',
  'at least 1': 'ít nhất 1',
  'expected a text message': 'cần một tin nhắn dạng văn bản',
  'too many open WebSockets': 'đang có quá nhiều kết nối WebSocket',
  'request body too large: at most {} bytes': 'nội dung gửi đi quá lớn: nhiều nhất {1} byte',
  'timed out reading the request body': 'hết thời gian chờ nội dung gửi đi',
  'unsupported content type: expected application/json':
    'kiểu nội dung không được hỗ trợ: cần application/json',
  'missing Host header': 'thiếu tiêu đề Host',
  'unknown host `{}`: allow it with --allow-host': 'máy chủ `{1}` không xác định: cho phép bằng --allow-host',
  'origin `{}` is not allowed': 'nguồn `{1}` không được phép',
  'the server is shutting down': 'máy chủ đang tắt',
  'internal error: see the server log': 'lỗi nội bộ: xem nhật ký của máy chủ',

  // Games.
  'time has run out': 'đã hết giờ',
  'no clock has run out': 'chưa bên nào hết giờ',
  'no move to take back': 'không có nước nào để đi lại',
  '{} is played by the engine': '{1} do máy chơi',
  'the game is being reloaded: try again': 'ván cờ đang được tải lại: hãy thử lại',
  'the game is over': 'ván cờ đã kết thúc',
  'the game is over: {}': 'ván cờ đã kết thúc: {1}',
  'draw by {}': 'hòa vì {1}',
  '{} has won by {}': '{1} thắng vì {2}',
  'action {} is out of range: expected 0 to {}': 'hành động {1} nằm ngoài phạm vi: cần từ 0 đến {2}',
  'action {} is not legal in this position': 'hành động {1} không hợp lệ trong thế cờ này',
  'the move is not legal in this position': 'nước đi không hợp lệ trong thế cờ này',
  'a draw offer is already open': 'đã có một đề nghị hòa đang chờ',
  'your last draw offer was declined: you may offer again after your opponent has offered':
    'đề nghị hòa trước của bạn đã bị từ chối: bạn chỉ được đề nghị lại sau khi đối phương đề nghị',
  'no draw offer is open': 'không có đề nghị hòa nào đang chờ',
  "the open draw offer is your opponent's: accept or decline it":
    'đề nghị hòa đang chờ là của đối phương: hãy đồng ý hoặc từ chối',
  'the open draw offer is your own: only your opponent can accept or decline it':
    'đề nghị hòa đang chờ là của bạn: chỉ đối phương mới đồng ý hoặc từ chối được',

  // Fields of the editor.
  castling: 'quyền nhập thành',
  '- or letters of KQkq, each at most once': '- hoặc các chữ trong KQkq, mỗi chữ nhiều nhất một lần',
  'en-passant': 'ô bắt tốt qua đường',
  '- or the square that a pawn has just passed over in a double step':
    '- hoặc ô mà một tốt vừa đi qua khi tiến hai bước',
  halfmoves: 'số nửa nước',
  'the number of half-moves since the last capture or pawn move':
    'số nửa nước từ lần ăn quân hoặc đi tốt gần nhất',
  'the number of turns since the last capture, 0 to 65535': 'số lượt từ lần ăn quân gần nhất, từ 0 đến 65535',
  fullmoves: 'số thứ tự nước đi',
  'the move number, starting at 1': 'số thứ tự của nước đi, bắt đầu từ 1',
  'the full-move number, 1 to 65535': 'số thứ tự của nước đi, từ 1 đến 65535',
  draw: 'đề nghị hòa',
  '-, offer:b, offer:w, declined:b or declined:w': '-, offer:b, offer:w, declined:b hoặc declined:w',
  attacked: 'bị tấn công',
  'yes or no: whether the tribun of the side to move has been attacked':
    'yes hoặc no: hộ dân quan của bên đến lượt đã bị tấn công hay chưa',
  'unknown field `{}`: expected {}': 'mục không xác định `{1}`: cần {2}',

  // Chess: positions.
  '{} has no king': '{1} không có vua',
  '{} has {} kings, expected 1': '{1} có {2} vua, cần đúng 1',
  '{} has {} pawns, expected at most 8': '{1} có {2} tốt, nhiều nhất là 8',
  '{} has {} promoted pieces and {} pawns, expected at most 8 in total':
    '{1} có {2} quân phong cấp và {3} tốt, tổng cộng nhiều nhất là 8',
  'pawn on {}: pawns cannot stand on rank 1 or 8': 'tốt ở {1}: tốt không thể đứng ở hàng 1 hoặc 8',
  '{} is in check, but {} is to move': '{1} đang bị chiếu, nhưng lại đến lượt {2}',
  '{} pieces give check, expected at most 2': '{1} quân cùng chiếu, nhiều nhất là 2',
  '{} has the right to castle {}, but no king on {}': '{1} có quyền nhập thành {2}, nhưng không có vua ở {3}',
  '{} has the right to castle {}, but no rook on {}': '{1} có quyền nhập thành {2}, nhưng không có xe ở {3}',
  kingside: 'cánh vua',
  queenside: 'cánh hậu',
  'en passant square {}: expected rank {} with {} to move':
    'ô bắt tốt qua đường {1}: cần ở hàng {2} khi đến lượt {3}',
  'en passant square {}: no opposing pawn on {}': 'ô bắt tốt qua đường {1}: không có tốt đối phương ở {2}',
  'en passant square {}: {} must be empty after the double step':
    'ô bắt tốt qua đường {1}: {2} phải trống sau khi tốt tiến hai bước',
  'en passant square {}: the double step cannot cause the check from {}':
    'ô bắt tốt qua đường {1}: nước tiến hai bước không thể gây ra nước chiếu từ {2}',
  'en passant square {}: the half-move clock must be 0 after a pawn move, found {}':
    'ô bắt tốt qua đường {1}: số nửa nước phải là 0 sau nước đi tốt, nhưng là {2}',
  'move number 0: move numbers start at 1': 'số thứ tự nước đi là 0: phải bắt đầu từ 1',
  'unknown piece `{}`: expected a letter of PNBRQK, in lower case for Black':
    'quân cờ không xác định `{1}`: cần một chữ trong PNBRQK, chữ thường cho Đen',
  'invalid square `{}`: expected a file a–h and a rank 1–8, as in e4':
    'ô không hợp lệ `{1}`: cần một cột a–h và một hàng 1–8, như e4',
  'expected 6 FEN fields (board, side to move, castling, en passant, half-move clock, move number), found {}':
    'cần 6 mục FEN (bàn cờ, lượt đi, nhập thành, bắt tốt qua đường, số nửa nước, số thứ tự nước đi), nhưng có {1}',
  'expected 8 ranks, found {}': 'cần 8 hàng, nhưng có {1}',
  'rank {}: expected 8 files, found {}': 'hàng {1}: cần 8 cột, nhưng có {2}',
  'rank {}: unexpected `{}`: expected a piece (pnbrqk, PNBRQK) or a digit from 1 to 8':
    'hàng {1}: `{2}` không hợp lệ: cần một quân cờ (pnbrqk, PNBRQK) hoặc một chữ số từ 1 đến 8',
  'rank {}: expected one digit for consecutive empty squares, found two':
    'hàng {1}: các ô trống liền nhau cần một chữ số, nhưng có hai',
  'invalid side to move `{}`: expected w or b': 'lượt đi không hợp lệ `{1}`: cần w hoặc b',
  'invalid castling rights `{}`: expected - or letters of KQkq, each at most once':
    'quyền nhập thành không hợp lệ `{1}`: cần - hoặc các chữ trong KQkq, mỗi chữ nhiều nhất một lần',
  'invalid en passant square `{}`: expected - or a square such as e3':
    'ô bắt tốt qua đường không hợp lệ `{1}`: cần - hoặc một ô như e3',
  'invalid half-move clock `{}`: expected a number from 0 to 65535':
    'số nửa nước không hợp lệ `{1}`: cần một số từ 0 đến 65535',
  'invalid move number `{}`: expected a number from 1 to 65535':
    'số thứ tự nước đi không hợp lệ `{1}`: cần một số từ 1 đến 65535',

  // Chess: moves and records.
  '`{}` is not a move: expected UCI (e2e4, e7e8q) or SAN (Nf3, exd5, O-O, e8=Q)':
    '`{1}` không phải nước đi: cần UCI (e2e4, e7e8q) hoặc SAN (Nf3, exd5, O-O, e8=Q)',
  'illegal move `{}`: {}': 'nước đi không hợp lệ `{1}`: {2}',
  'ambiguous move `{}`: could be {}': 'nước đi không rõ ràng `{1}`: có thể là {2}',
  'no piece on {}': 'không có quân nào ở {1}',
  'the piece on {} belongs to the opponent': 'quân ở {1} là của đối phương',
  'your own piece is on {}': 'quân của bạn đang đứng ở {1}',
  'a pawn that reaches the last rank must promote: add q, r, b or n':
    'tốt đến hàng cuối phải phong cấp: hãy thêm q, r, b hoặc n',
  'only a pawn that reaches the last rank can promote': 'chỉ tốt đến hàng cuối mới được phong cấp',
  'no right to castle on that side': 'không có quyền nhập thành bên đó',
  'castling is not possible now: a piece is in between, or the king is in, crosses or enters check':
    'chưa thể nhập thành: có quân đứng giữa, hoặc vua đang bị chiếu, đi qua hay đến ô bị chiếu',
  'a {} cannot move from {} to {} here': '{1} không thể đi từ {2} đến {3} ở đây',
  'it leaves your king in check': 'nước đó để vua của bạn bị chiếu',
  'no {} can legally move to {}': 'không {1} nào đi hợp lệ đến {2} được',
  'nothing to capture on {}': 'không có gì để ăn ở {1}',
  'invalid SAN `{}`: expected a move such as Nf3, exd5, R1a3, e8=Q or O-O':
    'SAN không hợp lệ `{1}`: cần một nước như Nf3, exd5, R1a3, e8=Q hoặc O-O',
  'invalid UCI move `{}`: expected two squares and optionally q, r, b or n, as in e7e8q':
    'nước UCI không hợp lệ `{1}`: cần hai ô và có thể thêm q, r, b hoặc n, như e7e8q',
  'unknown reason `{}`: expected one such as resignation or agreement':
    'lý do không xác định `{1}`: cần một lý do như resignation hoặc agreement',
  'no game found': 'không tìm thấy ván cờ nào',
  'malformed tag: expected [Name "value"]': 'thẻ sai dạng: cần [Tên "giá trị"]',
  'unclosed comment: expected }': 'chú thích chưa đóng: cần }',
  'unclosed variation: expected )': 'biến chưa đóng: cần )',
  'unmatched `{}`': '`{1}` không có cặp',
  'invalid annotation: expected $ and a number from 0 to 255':
    'ký hiệu chú giải không hợp lệ: cần $ và một số từ 0 đến 255',
  'invalid FEN tag: {}': 'thẻ FEN không hợp lệ: {1}',

  // CoTuLenh: positions.
  '{} may not stand on {}: {}': '{1} không được đứng ở {2}: {3}',
  'a Navy may stand only on files a to c and on d6, e6, d7, e7':
    'hải quân chỉ đứng được ở các cột a đến c và ở d6, e6, d7, e7',
  'files a and b are water, open to the Navy only': 'cột a và b là nước, chỉ hải quân đứng được',
  '{} has commanders on {} and {}: expected at most one': '{1} có tư lệnh ở {2} và {3}: nhiều nhất là một',
  '{} on {} is not a valid stack: under these rules a Navy may not carry a Tank and a soldier':
    '{1} ở {2} không phải chồng quân hợp lệ: theo luật này hải quân không được chở cả xe tăng lẫn lính',
  '{} on {} has a heroic passenger: under these rules only the carrier may be heroic (carrier only)':
    '{1} ở {2} chở một quân anh hùng: theo luật này chỉ quân chở mới được là anh hùng',
  'full-move number 0: expected at least 1': 'số thứ tự nước đi là 0: cần ít nhất 1',
  'deployment on {}: the side to move has no stack there':
    'triển khai ở {1}: bên đến lượt không có chồng quân nào ở đó',
  'deployment on {}: expected at least one step': 'triển khai ở {1}: cần ít nhất một bước',
  'deployment on {}: expected pending pieces out of the stack there, found {}':
    'triển khai ở {1}: các quân chưa đi phải thuộc chồng quân ở đó, nhưng có {2}',
  'deployment on {}: step {} is not legal': 'triển khai ở {1}: bước {2} không hợp lệ',
  'deployment on {}: step {} completes the turn, so no deployment is in progress':
    'triển khai ở {1}: bước {2} kết thúc lượt, nên không còn triển khai nào',
  'deployment on {}: no continuation completes the turn legally':
    'triển khai ở {1}: không cách đi tiếp nào kết thúc lượt hợp lệ',
  'expected a square such as e6, found nothing': 'cần một ô như e6, nhưng không có gì',
  'unknown file `{}`: expected a to k': 'cột không xác định `{1}`: cần a đến k',
  'missing rank: expected 1 to 12 after the file': 'thiếu hàng: cần 1 đến 12 sau cột',
  'malformed rank: expected a number from 1 to 12': 'hàng sai dạng: cần một số từ 1 đến 12',
  'unknown rank {}: expected 1 to 12': 'không có hàng {1}: cần 1 đến 12',
  'empty stack: expected at least one piece': 'chồng quân trống: cần ít nhất một quân',
  'duplicate {} in a stack: each kind may occur once':
    'hai {1} trong một chồng quân: mỗi loại chỉ được có một',
  'mixed colours in a stack: all its pieces belong to one player':
    'chồng quân lẫn màu: mọi quân phải thuộc về một bên',
  'invalid stack {}: these kinds cannot stand together':
    'chồng quân không hợp lệ {1}: các loại này không đứng chung được',
  'heroic {} is not in the stack': '{1} anh hùng không có trong chồng quân',
  'expected a piece': 'cần một quân cờ',
  'unexpected text after {}': 'còn ký tự thừa sau {1}',
  'expected 12 ranks, found {}': 'cần 12 hàng, nhưng có {1}',
  'expected 11 squares on rank {}, found {}': 'cần 11 ô ở hàng {1}, nhưng có {2}',
  'invalid number of empty squares {}: expected 1 to 11': 'số ô trống không hợp lệ {1}: cần từ 1 đến 11',
  'unknown piece `{}`: expected one of N F T E H C I M A G S':
    'quân cờ không xác định `{1}`: cần một trong N F T E H C I M A G S',
  'nested parenthesis: a stack cannot contain a stack':
    'ngoặc lồng nhau: chồng quân không thể chứa chồng quân',
  'unclosed parenthesis': 'ngoặc chưa đóng',
  'unmatched closing parenthesis': 'ngoặc đóng không có cặp',
  'empty parentheses: expected the pieces of a stack': 'ngoặc trống: cần các quân của chồng quân',
  'expected a piece letter after `+`': 'cần một chữ quân cờ sau `+`',
  'wrong order of pieces: expected {}, carrier first, then in the order N F T E H C I M A G S':
    'sai thứ tự quân: cần {1}, quân chở trước, rồi theo thứ tự N F T E H C I M A G S',
  'expected a single piece without parentheses': 'một quân đơn không cần ngoặc',
  'missing {}': 'thiếu {1}',
  board: 'bàn cờ',
  turn: 'lượt đi',
  'third field (always -)': 'mục thứ ba (luôn là -)',
  'fourth field (always -)': 'mục thứ tư (luôn là -)',
  'half-move clock': 'số nửa nước',
  'full-move number': 'số thứ tự nước đi',
  'invalid turn `{}`: expected r or b': 'lượt đi không hợp lệ `{1}`: cần r hoặc b',
  'invalid field `{}`: expected -': 'mục không hợp lệ `{1}`: cần -',
  'invalid {} `{}`: expected a number from 0 to 65535': '{1} không hợp lệ `{2}`: cần một số từ 0 đến 65535',
  'unexpected `{}` after the last field': '`{1}` thừa ra sau mục cuối',
  'expected `...` at the end of the deployment in progress': 'cần `...` ở cuối phần triển khai đang diễn ra',
  'invalid pending pieces `{}`: expected pieces after *, as in *T or *(FT)':
    'các quân chưa đi không hợp lệ `{1}`: cần các quân sau *, như *T hoặc *(FT)',

  // CoTuLenh: moves and records.
  'expected a move, found nothing': 'cần một nước đi, nhưng không có gì',
  'invalid move `{}`: expected pieces first, as in T, +T or (FT)':
    'nước đi không hợp lệ `{1}`: cần các quân ở đầu, như T, +T hoặc (FT)',
  '`{}` is a complete turn: expected a single step, as in Fc4>e6, or end':
    '`{1}` là cả một lượt: cần một bước, như Fc4>e6, hoặc end',
  'invalid target square: {}': 'ô đích không hợp lệ: {1}',
  'invalid origin square: {}': 'ô gốc không hợp lệ: {1}',
  'invalid move: expected a from-square, > or one of x _ @ & between pieces and target, found `{}`':
    'nước đi không hợp lệ: giữa các quân và ô đích cần ô xuất phát, > hoặc một trong x _ @ &, nhưng có `{1}`',
  'illegal move `{}`': 'nước đi không hợp lệ `{1}`',
  'ambiguous move `{}`: could be {} or {}': 'nước đi không rõ ràng `{1}`: có thể là {2} hoặc {3}',
  'invalid deployment `{}`: expected origin:stay:step,step':
    'triển khai không hợp lệ `{1}`: cần gốc:ở-lại:bước,bước',
  'step {} follows the end of the turn': 'bước {1} đứng sau khi lượt đã kết thúc',
  '`{}` does not complete the turn: expected origin:stay:step,step, or end as the last step':
    '`{1}` chưa kết thúc lượt: cần gốc:ở-lại:bước,bước, hoặc end ở bước cuối',
  'a deployment is in progress: expected its next step, or end':
    'đang triển khai dở: cần bước tiếp theo, hoặc end',
  'expected {} to stay on {}, found {}': 'cần {1} ở lại trên {2}, nhưng có {3}',
  'expected `{}`, found `{}`': 'cần `{1}`, nhưng có `{2}`',
  'empty record: expected a tag or a move': 'biên bản trống: cần một thẻ hoặc một nước đi',
  'unclosed comment: expected `}`': 'chú thích chưa đóng: cần `}`',
  'unknown rules `{}`: expected standard or club': 'luật không xác định `{1}`: cần standard hoặc club',
  'FEN tag: {}': 'thẻ FEN: {1}',
  'move {} follows the end of the game': 'nước {1} đứng sau khi ván cờ đã kết thúc',
  'result {} contradicts the outcome on the board': 'kết quả {1} không khớp với kết thúc trên bàn cờ',
  'unknown termination `{}`': 'lý do kết thúc không xác định `{1}`',
  'termination `{}` contradicts the game: {} after these moves {}':
    'lý do kết thúc `{1}` không khớp với ván cờ: {2} sau các nước này {3}',
  'leaves the game open': 'thì ván cờ chưa kết thúc',
  'means {}': 'có nghĩa là {1}',

  // Tribun: positions.
  'invalid unit byte {} at cid {}: {}': 'byte quân không hợp lệ {1} ở cid {2}: {3}',
  'unit byte {} outside the board: {}': 'byte quân {1} nằm ngoài bàn cờ: {2}',
  '{} has {} tribuns: expected exactly one': '{1} có {2} hộ dân quan: cần đúng một',
  "{}'s tribun is not attacked: no enemy unit reaches it":
    'hộ dân quan của {1} không bị tấn công: không quân địch nào đánh tới',
  'invalid unit `{}`: expected b or w first, such as b3/2':
    'quân không hợp lệ `{1}`: cần b hoặc w ở đầu, như b3/2',
  'cid {} is reserved: tiles have cids 0 to 120': 'cid {1} để dành: các ô có cid từ 0 đến 120',
  'cid {} does not fit in 7 bits: tiles have cids 0 to 120':
    'cid {1} không vừa trong 7 bit: các ô có cid từ 0 đến 120',
  '({},{}) is off the board: |x|, |y| and |x - y| are at most 5':
    '({1},{2}) nằm ngoài bàn cờ: |x|, |y| và |x - y| nhiều nhất là 5',
  'invalid tile `{}`: expected a letter a to k and a number 1 to 11, such as f6, or coordinates, such as (0,0)':
    'ô không hợp lệ `{1}`: cần một chữ a đến k và một số 1 đến 11, như f6, hoặc tọa độ, như (0,0)',
  'invalid tile `{}`: {}': 'ô không hợp lệ `{1}`: {2}',
  'height index 7 is reserved: heights have indices 1 to 6':
    'chỉ số độ cao 7 để dành: các độ cao có chỉ số từ 1 đến 6',
  'a unit needs a primary height': 'quân cần có độ cao chính',
  'a tribun cannot hold a slave': 'hộ dân quan không thể giữ nô lệ',
  'a unit of height {} cannot hold a slave of height {}': 'quân cao {1} không thể giữ nô lệ cao {2}',
  "invalid unit `{}`: expected a height (1, 2, 3, 4, 6 or 8), then `/` and the slave's height, or `*` for a tribun":
    'quân không hợp lệ `{1}`: cần độ cao (1, 2, 3, 4, 6 hoặc 8), rồi `/` và độ cao nô lệ, hoặc `*` cho hộ dân quan',
  'invalid unit `{}`: {}': 'quân không hợp lệ `{1}`: {2}',
  'expected {} base64 characters, found {}': 'cần {1} ký tự base64, nhưng có {2}',
  'unexpected base64 character `{}` at position {}': 'ký tự base64 `{1}` không hợp lệ ở vị trí {2}',
  'the last base64 character before the padding has unused bits set':
    'ký tự base64 cuối trước phần đệm có bit không dùng đến',
  'expected {}, found the end of the position': 'cần {1}, nhưng thế cờ kết thúc ở đây',
  'the units or the base64 of a board': 'các quân hoặc base64 của bàn cờ',
  "White's units": 'các quân Trắng',
  'the side to move, b or w': 'lượt đi, b hoặc w',
  "expected White's units (`white:…`), found `{}`": 'cần các quân Trắng (`white:…`), nhưng có `{1}`',
  'invalid unit `{}`: expected a tile, `=` and a unit, such as `f6=3/2`':
    'quân không hợp lệ `{1}`: cần một ô, `=` và một quân, như `f6=3/2`',
  'tile {} holds two units: expected at most one': 'ô {1} có hai quân: nhiều nhất là một',
  'invalid side to move `{}`: expected b or w': 'lượt đi không hợp lệ `{1}`: cần b hoặc w',
  'invalid draw offer `{}`: expected -, offer:b, offer:w, declined:b or declined:w':
    'đề nghị hòa không hợp lệ `{1}`: cần -, offer:b, offer:w, declined:b hoặc declined:w',
  'unexpected `{}` after the position': '`{1}` thừa ra sau thế cờ',

  // Tribun: actions and records.
  'invalid action `{}`: expected a form such as f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5 or f6!g7':
    'hành động không hợp lệ `{1}`: cần dạng như f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5 hoặc f6!g7',
  'invalid amount `{}`: expected 1 to 8': 'số lượng không hợp lệ `{1}`: cần từ 1 đến 8',
  'invalid split height `{}`: expected 1, 2, 3, 4 or 6':
    'độ cao khi tách không hợp lệ `{1}`: cần 1, 2, 3, 4 hoặc 6',
  '{} and {} are not adjacent': '{1} và {2} không kề nhau',
  'tile {} occurs twice': 'ô {1} được nêu hai lần',
  'invalid donors: expected two, six that give 1 each, or three alternate neighbours that all give 1 or all give 2':
    'các quân góp không hợp lệ: cần hai quân, sáu quân góp mỗi quân 1, hoặc ba quân cách một cùng góp 1 hay cùng góp 2',
  'action word {} is not a board action: expected an opcode from 0 to 9':
    'mã hành động {1} không phải hành động trên bàn cờ: cần mã lệnh từ 0 đến 9',
  '{} is not legal in this position': '{1} không hợp lệ trong thế cờ này',
  'the claimed loser has a legal action or is not to move':
    'bên bị xử thua còn hành động hợp lệ hoặc chưa đến lượt',
  'invalid tag `{}`: expected a name and a quoted value, such as `[Event "An evening"]`':
    'thẻ không hợp lệ `{1}`: cần tên và giá trị trong ngoặc kép, như `[Event "An evening"]`',
  'unknown rules `{}`: expected standard or ninety': 'luật không xác định `{1}`: cần standard hoặc ninety',
  'invalid `Position` tag: {}': 'thẻ `Position` không hợp lệ: {1}',
  'invalid result `{}`: expected `*`, or Black, White or draw with a reason, such as `Black: resignation`':
    'kết quả không hợp lệ `{1}`: cần `*`, hoặc Black, White hay draw với lý do, như `Black: resignation`',
  'the `Result` tag is `{}`, but the result of the actions is `{}`':
    'thẻ `Result` là `{1}`, nhưng kết quả của các hành động là `{2}`',
  'invalid draw offer `{}`: expected {-}, {offer:b}, {offer:w}, {declined:b} or {declined:w}':
    'đề nghị hòa không hợp lệ `{1}`: cần {-}, {offer:b}, {offer:w}, {declined:b} hoặc {declined:w}',
  'unexpected `{}` after the end of the game': '`{1}` đứng sau khi ván cờ đã kết thúc',
  'unknown opcode {}: expected 0 to 11': 'mã lệnh không xác định {1}: cần từ 0 đến 11',
  'unused bits {} of {} are set: expected 0': 'các bit không dùng {1} của {2} khác 0: cần 0',
  'invalid {} of {}: {}': '{1} của {2} không hợp lệ: {3}',
  'invalid {} of {}: expected {}, found {}': '{1} của {2} không hợp lệ: cần {3}, nhưng có {4}',
  'a direction from 0 to 5': 'một hướng từ 0 đến 5',
  'a direction above dirA': 'một hướng lớn hơn dirA',
  '0, because a tie by game time has no loser': '0, vì hòa do hết thời gian ván đấu thì không ai thua',
  '0 for six donors, 0 or 1 for three': '0 nếu sáu quân góp, 0 hoặc 1 nếu ba quân góp',

  // Planes of the observations.
  'own {}': '{1} ta',
  'opponent {}': '{1} địch',
  'enemy {}': '{1} địch',
  'own heroic {}': '{1} anh hùng ta',
  'enemy heroic {}': '{1} anh hùng địch',
  'pending {}': '{1} chưa đi',
  'own slave {}': 'nô lệ {1} của ta',
  'enemy slave {}': 'nô lệ {1} của địch',
  'own offer': 'ta đề nghị hòa',
  'enemy offer': 'địch đề nghị hòa',
  'own declined': 'ta bị từ chối',
  'enemy declined': 'địch bị từ chối',
  'own fire': 'hỏa lực ta',
  'enemy fire': 'hỏa lực địch',
  'own kingside castling': 'ta nhập thành cánh vua',
  'own queenside castling': 'ta nhập thành cánh hậu',
  'opponent kingside castling': 'địch nhập thành cánh vua',
  'opponent queenside castling': 'địch nhập thành cánh hậu',
  pawns: 'tốt',
  knights: 'mã',
  bishops: 'tượng',
  rooks: 'xe',
  queens: 'hậu',
  tribun: 'hộ dân quan',
  repetition: 'lặp lại',
  'en passant': 'bắt tốt qua đường',
  clock: 'đồng hồ',
  origin: 'gốc triển khai',
  'navy ground': 'chỗ của hải quân',
  'land ground': 'chỗ trên cạn',
  '1 where one stands': '1 ở nơi có một quân',
  '1 where it stands': '1 ở nơi nó đứng',
  'constant: 1/3, 2/3 or 1 at the first, second or a later occurrence':
    'hằng số: 1/3, 2/3 hoặc 1 ở lần xuất hiện thứ nhất, thứ hai hoặc sau nữa',
  '1 on the target square of a legal en passant capture': '1 ở ô đích của nước bắt tốt qua đường hợp lệ',
  'constant: 1 with the right, 0 without': 'hằng số: 1 nếu còn quyền, 0 nếu không',
  '1 where the mover has one, passengers included': '1 ở nơi bên đến lượt có quân này, kể cả đang được chở',
  '1 where the opponent has one, passengers included': '1 ở nơi đối phương có quân này, kể cả đang được chở',
  '1 where the mover has a heroic one': '1 ở nơi bên đến lượt có quân này là anh hùng',
  '1 where the opponent has a heroic one': '1 ở nơi đối phương có quân này là anh hùng',
  '1 on the origin of a deployment if one has not acted yet': '1 ở gốc triển khai nếu quân này chưa đi',
  '1 everywhere if the position has occurred before': '1 khắp nơi nếu thế cờ đã từng xuất hiện',
  'turns without a capture / 100 everywhere, at most 1':
    'số lượt không ăn quân / 100 khắp nơi, nhiều nhất là 1',
  '1 on the origin of a deployment in progress': '1 ở gốc của cuộc triển khai đang diễn ra',
  '1 where a Navy may stand': '1 ở nơi hải quân đứng được',
  '1 where all others may stand': '1 ở nơi các quân khác đứng được',
  "1 in the zones of the mover's air defence": '1 trong vùng phòng không của bên đến lượt',
  "1 in the zones of the opponent's air defence": '1 trong vùng phòng không của đối phương',
  '1 on the 91 tiles': '1 ở 91 ô',
  '1 where an own unit has height {}': '1 ở nơi quân ta cao {1}',
  '1 where an enemy unit has height {}': '1 ở nơi quân địch cao {1}',
  '1 where an own unit holds a slave of height {}': '1 ở nơi quân ta giữ nô lệ cao {1}',
  '1 where an enemy unit holds a slave of height {}': '1 ở nơi quân địch giữ nô lệ cao {1}',
  '1 where the own tribun stands': '1 ở nơi hộ dân quan ta đứng',
  '1 where the enemy tribun stands': '1 ở nơi hộ dân quan địch đứng',
  "1 everywhere if the mover's draw offer is open": '1 khắp nơi nếu bên đến lượt đang đề nghị hòa',
  "1 everywhere if the enemy's draw offer is open": '1 khắp nơi nếu đối phương đang đề nghị hòa',
  '1 everywhere if the mover was declined and may not offer':
    '1 khắp nơi nếu bên đến lượt đã bị từ chối và chưa được đề nghị lại',
  '1 everywhere if the enemy was declined and may not offer':
    '1 khắp nơi nếu đối phương đã bị từ chối và chưa được đề nghị lại',
};
