// The server's text in Vietnamese: error messages, faults of a setup, planes and fields.

import type { Catalog } from './server-text';

export const catalog: Catalog = {
  // Requests and games.
  '{}: {}': '{1}: {2}',
  'move {}: {}': 'nước thứ {1}: {2}',
  'there is no {} `{}`; there is {}': 'không có {1} `{2}`; chỉ có {3}',
  game: 'môn cờ',
  'set of rules': 'bộ luật',
  'there is nothing of that name': 'không có gì mang tên đó',
  'there is no such game': 'không có ván cờ này',
  'the text is longer than any position': 'văn bản dài hơn mọi thế cờ',
  'the text is longer than any move': 'văn bản dài hơn mọi nước đi',
  '{} moves are more than the {} of any game': '{1} nước là nhiều hơn giới hạn {2} nước của một ván',
  'there is no level {}: levels are 0 to 9': 'không có cấp {1}: các cấp là 0 đến 9',
  'a clock has from one second to one month, and as much for each turn':
    'đồng hồ có từ một giây đến một tháng, thời gian cộng thêm cũng không quá thế',
  'a name has at most {} characters': 'tên có nhiều nhất {1} ký tự',
  'a record has at most {} tags': 'biên bản có nhiều nhất {1} thẻ',
  'a move has either a text or an index': 'nước đi được cho bằng chữ hoặc bằng chỉ số',
  'the game has version {} by now, not {}': 'ván cờ đã sang phiên bản {1}, không còn là {2}',
  'the time has run out': 'đã hết giờ',
  'there is time left': 'vẫn còn thời gian',
  'there is no move to take back': 'không có nước nào để lùi lại',
  '{} is played by the engine': '{1} do máy chơi',
  'the game is over': 'ván cờ đã kết thúc',
  'the game is over: {}': 'ván cờ đã kết thúc: {1}',
  'drawn by {}': 'hòa vì {1}',
  '{} has won by {}': '{1} thắng vì {2}',
  'there is no action {}: actions are 0 to {}': 'không có hành động {1}: các hành động là 0 đến {2}',
  'action {} is not legal in this position': 'hành động {1} không hợp lệ trong thế cờ này',
  'the move is not legal in this position': 'nước đi không hợp lệ trong thế cờ này',
  'a draw offer is already open': 'đã có một đề nghị hòa đang chờ',
  'a declined player may not offer a draw again before the other has':
    'bên bị từ chối không được đề nghị hòa lần nữa trước khi bên kia đề nghị',
  'no draw offer is open': 'không có đề nghị hòa nào đang chờ',
  "the open draw offer is the other player's: accept or decline it":
    'đề nghị hòa đang chờ là của đối phương: hãy đồng ý hoặc từ chối',
  "the open draw offer is the player's own: only the other can answer it":
    'đề nghị hòa đang chờ là của chính bên này: chỉ đối phương trả lời được',
  'too many sockets are open': 'đang có quá nhiều kết nối',
  'the body is too large': 'nội dung gửi đi quá lớn',
  'the body took too long to come': 'nội dung gửi đi đến quá chậm',
  'the game is being read anew: ask again': 'ván cờ đang được đọc lại: hãy thử lại',
  'no game has more than {} moves': 'không ván nào có quá {1} nước',
  'the server is stopping': 'máy chủ đang dừng',
  'the body must be sent as application/json': 'nội dung phải được gửi dưới dạng application/json',
  'this path does not take that method': 'đường dẫn này không nhận phương thức đó',
  'the limit is from 1 to 200': 'giới hạn là từ 1 đến 200',
  'messages are text': 'tin nhắn phải là văn bản',
  'a search has a depth of at least 1': 'độ sâu tìm kiếm ít nhất là 1',
  '{} lines: from 1 to {} can be asked for': '{1} biến: có thể yêu cầu từ 1 đến {2}',
  'the server could not do this; its log says why':
    'máy chủ không làm được việc này; nhật ký của nó nói rõ vì sao',

  // The editor.
  '`{}` cannot be the {}: {}': '`{1}` không thể là {2}: {3}',
  'there is no field `{}`; there is {}': 'không có mục `{1}`; chỉ có {2}',
  castling: 'quyền nhập thành',
  'who may still castle where: letters of KQkq, capital for White, or -':
    'ai còn được nhập thành bên nào: các chữ KQkq, chữ hoa cho Trắng, hoặc -',
  'en-passant': 'ô bắt tốt qua đường',
  'the square that a pawn has just passed over in a double step, or -':
    'ô mà một tốt vừa đi qua khi tiến hai bước, hoặc -',
  halfmoves: 'số nửa nước',
  "half-moves since the last capture or pawn's move, a number":
    'số nửa nước từ lần ăn quân hoặc đi tốt gần nhất',
  'turns since the last capture, a number': 'số lượt từ lần ăn quân gần nhất',
  fullmoves: 'nước thứ',
  'the number of the move, counted from 1': 'số thứ tự của nước đi, tính từ 1',
  draw: 'đề nghị hòa',
  'what was said about a draw: -, offer:b, offer:w, declined:b or declined:w':
    'điều đã nói về hòa cờ: -, offer:b, offer:w, declined:b hoặc declined:w',
  attacked: 'bị tấn công',
  'has the tribun of the player to move been attacked, so that the game is lost? yes or no':
    'hộ dân quan của bên đến lượt đã bị tấn công, nên thua cuộc? yes hoặc no',

  // Chess: positions.
  '{} has no king': '{1} không có vua',
  '{} has {} kings': '{1} có {2} vua',
  '{} has {} pawns, more than 8': '{1} có {2} tốt, nhiều hơn 8',
  '{} has {} promoted pieces and {} pawns, together more than 8':
    '{1} có {2} quân phong cấp và {3} tốt, cộng lại nhiều hơn 8',
  'a pawn cannot stand on {}': 'tốt không thể đứng ở {1}',
  "{} is in check, but it is {}'s move": '{1} đang bị chiếu, nhưng lại đến lượt {2}',
  '{} pieces give check, and no move leads to that': '{1} quân cùng chiếu, không nước đi nào dẫn đến thế này',
  '{} cannot have the right to castle {}: no king on {}':
    '{1} không thể có quyền nhập thành {2}: không có vua ở {3}',
  '{} cannot have the right to castle {}: no rook on {}':
    '{1} không thể có quyền nhập thành {2}: không có xe ở {3}',
  kingside: 'cánh vua',
  queenside: 'cánh hậu',
  'en passant on {}: with {} to move it can only be on rank {}':
    'bắt tốt qua đường ở {1}: khi đến lượt {2}, ô đó chỉ có thể ở hàng {3}',
  'en passant on {}: there is no pawn on {} that could have passed':
    'bắt tốt qua đường ở {1}: không có tốt nào ở {2} vừa đi qua',
  'en passant on {}: {} is not empty, so no pawn passed there':
    'bắt tốt qua đường ở {1}: {2} không trống, nên không tốt nào đi qua đó',
  'en passant on {}: the check from {} was there before that pawn moved':
    'bắt tốt qua đường ở {1}: nước chiếu từ {2} đã có trước khi tốt đó đi',
  'en passant on {}: the half-move clock is {}, so no pawn has just moved':
    'bắt tốt qua đường ở {1}: số nửa nước là {2}, nên không tốt nào vừa đi',
  'moves are counted from 1, not 0': 'nước đi được tính từ 1, không phải 0',
  '`{}` is no piece: one letter of PNBRQK, small for Black':
    '`{1}` không phải quân cờ: một chữ trong PNBRQK, chữ thường cho Đen',
  '`{}` is not a square: it takes a file a–h and a rank 1–8, as in e4':
    '`{1}` không phải ô cờ: cần một cột a–h và một hàng 1–8, như e4',
  'a FEN has 6 fields (board, turn, castling, en passant, half-moves, moves); here are {}':
    'FEN có 6 mục (bàn cờ, lượt đi, nhập thành, bắt tốt qua đường, nửa nước, nước); ở đây có {1}',
  // In a record it stands within a sentence, where a semicolon parts what is said.
  'a FEN has 6 fields (board, turn, castling, en passant, half-moves, moves)':
    'FEN có 6 mục (bàn cờ, lượt đi, nhập thành, bắt tốt qua đường, nửa nước, nước)',
  'here are {}': 'ở đây có {1}',
  'the board has {} ranks instead of 8': 'bàn cờ có {1} hàng thay vì 8',
  'rank {} has {} files instead of 8': 'hàng {1} có {2} cột thay vì 8',
  'rank {}: `{}` is neither a piece (pnbrqk, PNBRQK) nor a number from 1 to 8':
    'hàng {1}: `{2}` không phải quân cờ (pnbrqk, PNBRQK) cũng không phải số từ 1 đến 8',
  'rank {}: two numbers side by side': 'hàng {1}: hai con số liền nhau',
  'the turn is `{}` instead of w or b': 'lượt đi là `{1}` thay vì w hoặc b',
  'the castling rights are `{}` instead of - or some of KQkq, each once':
    'quyền nhập thành là `{1}` thay vì - hoặc vài chữ trong KQkq, mỗi chữ một lần',
  'the en-passant square is `{}` instead of - or a square':
    'ô bắt tốt qua đường là `{1}` thay vì - hoặc một ô cờ',
  'the half-move clock is `{}` instead of a number from 0 to 65535':
    'số nửa nước là `{1}` thay vì một số từ 0 đến 65535',
  'the move number is `{}` instead of a number from 1 to 65535':
    'số thứ tự nước đi là `{1}` thay vì một số từ 1 đến 65535',

  // Chess: moves and records.
  '`{}` is not a move: write it like e2e4 or e7e8q, or like Nf3, exd5, O-O, e8=Q':
    '`{1}` không phải nước đi: hãy viết như e2e4 hay e7e8q, hoặc như Nf3, exd5, O-O, e8=Q',
  '{} could be {}': '{1} có thể là {2}',
  '{} could be {} or {}': '{1} có thể là {2} hoặc {3}',
  '{} could be {} or {} or {}': '{1} có thể là {2} hoặc {3} hoặc {4}',
  'there is no piece on {}': 'không có quân nào ở {1}',
  'the piece on {} is not yours to move': 'quân ở {1} không phải của bạn',
  'your own piece stands on {}': 'quân của bạn đang đứng ở {1}',
  'a pawn that reaches the last rank must become something: add q, r, b or n':
    'tốt đến hàng cuối phải phong cấp: hãy thêm q, r, b hoặc n',
  'only a pawn that reaches the last rank becomes something else': 'chỉ tốt đến hàng cuối mới được phong cấp',
  'the right to castle there is lost': 'quyền nhập thành bên đó đã mất',
  'castling is not possible now: a piece stands between, or the king is, passes or arrives in check':
    'chưa thể nhập thành: có quân đứng giữa, hoặc vua đang bị chiếu, đi qua hay đến ô bị chiếu',
  'a {} cannot go from {} to {} here': '{1} không thể đi từ {2} đến {3} ở đây',
  'it would leave your king in check': 'nước đó để vua của bạn bị chiếu',
  'no {} of yours can legally go to {}': 'không {1} nào của bạn đi được đến {2}',
  'there is nothing to take on {}': 'không có gì để ăn ở {1}',
  'line {}, column {}: {}': 'dòng {1}, cột {2}: {3}',
  'there is no game here': 'ở đây không có ván cờ nào',
  'a tag is written [Name "value"]': 'thẻ được viết [Tên "giá trị"]',
  'this comment is never closed': 'chú thích này không được đóng lại',
  'this variation is never closed': 'biến này không được đóng lại',
  '`{}` closes nothing': '`{1}` không đóng gì cả',
  'an annotation is $ and a number from 0 to 255': 'ký hiệu chú giải là $ và một số từ 0 đến 255',
  'the FEN tag: {}': 'thẻ FEN: {1}',
  '`{}` is not SAN: it is written like Nf3, exd5, R1a3, e8=Q or O-O':
    '`{1}` không phải SAN: hãy viết như Nf3, exd5, R1a3, e8=Q hay O-O',
  '`{}` is not UCI: it takes two squares and maybe one of q, r, b, n, as in e7e8q':
    '`{1}` không phải UCI: cần hai ô và có thể một chữ q, r, b, n, như e7e8q',

  // CoTuLenh: positions.
  '{} may not stand on {}: {}': '{1} không được đứng ở {2}: {3}',
  'a Navy stands on files a to c and on the river squares d6, e6, d7, e7':
    'hải quân đứng ở các cột a đến c và các ô sông d6, e6, d7, e7',
  'files a and b are water, where only a Navy stands': 'cột a và b là nước, chỉ hải quân đứng được',
  '{} has commanders on {} and {}: one is allowed': '{1} có tư lệnh ở {2} và {3}: chỉ được một',
  '{} on {}: these rules let no Navy carry a Tank and a soldier together':
    '{1} ở {2}: luật này không cho hải quân chở cả xe tăng lẫn lính',
  '{} on {} has a heroic passenger: by these rules only a carrier is heroic (carrier only)':
    '{1} ở {2} chở một quân anh hùng: theo luật này chỉ quân chở mới là anh hùng',
  'the full-move number is 0: moves are counted from 1': 'số thứ tự nước đi là 0: nước đi được tính từ 1',
  'a deployment on {}: no stack of the player to move stands there':
    'triển khai ở {1}: bên đến lượt không có chồng quân nào ở đó',
  'a deployment on {}: it begins with a step': 'triển khai ở {1}: phải bắt đầu bằng một bước',
  'a deployment on {}: {} cannot be pending there': 'triển khai ở {1}: {2} không thể còn chờ ở đó',
  'a deployment on {}: step {} is not legal': 'triển khai ở {1}: bước {2} không hợp lệ',
  'a deployment on {}: step {} ends the turn, so none is in progress':
    'triển khai ở {1}: bước {2} kết thúc lượt, nên không còn triển khai nào',
  'a deployment on {}: no way to go on ends the turn legally':
    'triển khai ở {1}: không cách đi tiếp nào kết thúc lượt hợp lệ',
  "a square's name is missing": 'thiếu tên ô',
  "'{}' is no file: files are a to k": "'{1}' không phải cột: các cột là a đến k",
  'the rank is missing after the file: ranks are 1 to 12': 'thiếu hàng sau cột: các hàng là 1 đến 12',
  'a rank is a number from 1 to 12, and nothing follows it':
    'hàng là một số từ 1 đến 12, và không có gì theo sau',
  'there is no rank {}: ranks are 1 to 12': 'không có hàng {1}: các hàng là 1 đến 12',
  'a stack has at least one piece': 'chồng quân có ít nhất một quân',
  'a stack has no two pieces of one kind, and here are two {}':
    'chồng quân không có hai quân cùng loại, mà ở đây có hai {1}',
  'a stack belongs to one player': 'chồng quân chỉ thuộc về một bên',
  '{} do not make a stack': '{1} không hợp thành chồng quân',
  'the heroes {} are not in the stack': 'các anh hùng {1} không có trong chồng quân',
  'more follows {}': 'còn ký tự thừa sau {1}',
  'at character {}: {}': 'ở ký tự thứ {1}: {2}',
  'the board has {} ranks instead of 12': 'bàn cờ có {1} hàng thay vì 12',
  'rank {} has {} squares instead of 11': 'hàng {1} có {2} ô thay vì 11',
  '{} empty squares: a count is 1 to 11': '{1} ô trống: số ô là từ 1 đến 11',
  "'{}' is no piece: pieces are N F T E H C I M A G S":
    "'{1}' không phải quân cờ: các quân là N F T E H C I M A G S",
  'a stack within a stack': 'chồng quân nằm trong chồng quân',
  'the stack that begins here is not closed': 'chồng quân bắt đầu ở đây không được đóng lại',
  "')' closes no stack": "')' không đóng chồng quân nào",
  'a stack without pieces': 'chồng quân không có quân nào',
  "'+' stands before the letter of a heroic piece, and none follows":
    "'+' đứng trước chữ của quân anh hùng, mà không có chữ nào theo sau",
  'this stack is written {}: carrier first, then in the order N F T E H C I M A G S':
    'chồng quân này được viết {1}: quân chở trước, rồi theo thứ tự N F T E H C I M A G S',
  'a single piece stands without parentheses': 'một quân đơn không cần ngoặc',
  'the {} is missing': 'thiếu {1}',
  board: 'bàn cờ',
  turn: 'lượt đi',
  'third field (always -)': 'mục thứ ba (luôn là -)',
  'fourth field (always -)': 'mục thứ tư (luôn là -)',
  'half-move clock': 'số nửa nước',
  'full-move number': 'số thứ tự nước đi',
  'the turn is r or b, not {}': 'lượt đi là r hoặc b, không phải {1}',
  'this field is always -, not {}': 'mục này luôn là -, không phải {1}',
  'the {} is a number from 0 to 65535, not {}': '{1} là một số từ 0 đến 65535, không phải {2}',
  'nothing follows the deployment, but here is {}':
    'không có gì theo sau phần triển khai, nhưng ở đây có {1}',
  'a deployment in progress is written origin:stay:step,step... ({})':
    'triển khai đang diễn ra được viết gốc:ở-lại:bước,bước... ({1})',
  'it ends with three dots': 'nó kết thúc bằng ba dấu chấm',
  'it has three parts, with colons between them': 'nó có ba phần, cách nhau bằng dấu hai chấm',
  'origin: {}': 'gốc: {1}',
  'no piece is named after *': 'không có quân nào được nêu sau *',
  '*{} names no pieces': '*{1} không nêu quân nào',
  'what stays is {}, not {}': 'quân ở lại là {1}, không phải {2}',
  'the player to move has no such pieces on {}': 'bên đến lượt không có các quân đó ở {1}',
  '{} comes after the end of the turn': '{1} đứng sau khi lượt đã kết thúc',

  // CoTuLenh: steps and records.
  'a step is missing': 'thiếu một bước',
  'a step begins with its pieces, as in T, +T or (FT), not with {}':
    'một bước bắt đầu bằng các quân của nó, như T, +T hay (FT), không phải {1}',
  '{} is a deployment in one word: type its steps one by one, as in Fc4>e6, then end':
    '{1} là cả một lần triển khai: hãy gõ từng bước, như Fc4>e6, rồi end',
  'a step ends with its target square: {}': 'một bước kết thúc bằng ô đích: {1}',
  '{} between the pieces and the target is no from-square, with > or one of x _ @ & after it':
    '{1} giữa các quân và ô đích không phải ô xuất phát, với > hoặc một trong x _ @ & theo sau',
  '{} is not a legal step here': '{1} không phải bước hợp lệ ở đây',
  '{} may be {} or {}': '{1} có thể là {2} hoặc {3}',
  'step {}: {}': 'bước {1}: {2}',
  'a turn is read at its beginning, and here a deployment is in progress':
    'lượt đi được đọc từ đầu, mà ở đây đang triển khai dở',
  'a deployment turn is written origin:stay:step,step ({})':
    'lượt triển khai được viết gốc:ở-lại:bước,bước ({1})',
  'begin with {}': 'hãy bắt đầu bằng {1}',
  'step {} comes after the end of the turn': 'bước {1} đứng sau khi lượt đã kết thúc',
  'what stays on {} is {}, not {}': 'quân ở lại trên {1} là {2}, không phải {3}',
  'line {}: {}': 'dòng {1}: {2}',
  'the record is empty': 'biên bản trống',
  'the comment that begins here has no closing brace': 'chú thích bắt đầu ở đây không có ngoặc đóng',
  '{} names no rules: these are standard and club': '{1} không phải tên luật: có standard và club',
  'FEN: {}': 'FEN: {1}',
  '{} comes after the end of the game': '{1} đứng sau khi ván cờ đã kết thúc',
  'the result {} is not how the game ended on the board': 'kết quả {1} không khớp với kết thúc trên bàn cờ',
  '{} is no way for a game to end': '{1} không phải cách kết thúc ván cờ',
  'the termination is {}, but {} after these moves {}':
    'lý do kết thúc là {1}, nhưng {2} sau các nước này {3}',
  'leaves the game open': 'thì ván cờ chưa kết thúc',
  'means {}': 'có nghĩa là {1}',

  // Tribun: positions.
  'unit byte {} at cid {}: {}': 'byte quân {1} ở cid {2}: {3}',
  'unit byte {} stands nowhere: {}': 'byte quân {1} không đứng ở đâu cả: {2}',
  '{} has {} tribuns instead of one': '{1} có {2} hộ dân quan thay vì một',
  'no enemy unit reaches the tribun of {}': 'không quân địch nào đánh tới hộ dân quan của {1}',
  "`{}` is nobody's: a unit begins with b or w": '`{1}` không thuộc về ai: quân bắt đầu bằng b hoặc w',
  'cid {} is reserved: tiles have cids 0 to 120': 'cid {1} để dành: các ô có cid từ 0 đến 120',
  'cid {} does not fit in 7 bits': 'cid {1} không vừa trong 7 bit',
  '({},{}) is off the board: |x|, |y| and |x - y| are at most 5':
    '({1},{2}) nằm ngoài bàn cờ: |x|, |y| và |x - y| nhiều nhất là 5',
  '`{}` is not a tile: write a letter a to k and a number 1 to 11, as in f6, or coordinates, as in (0,0)':
    '`{1}` không phải ô: hãy viết một chữ a đến k và một số 1 đến 11, như f6, hoặc tọa độ, như (0,0)',
  '`{}` is not a tile: {}': '`{1}` không phải ô: {2}',
  'height index 7 is not in use': 'chỉ số độ cao 7 không được dùng',
  'a unit needs a primary height': 'quân cần có độ cao chính',
  'a tribun has no slave': 'hộ dân quan không có nô lệ',
  'a unit of height {} cannot hold a slave of height {}': 'quân cao {1} không thể giữ nô lệ cao {2}',
  "`{}` is not a unit: write a height (1, 2, 3, 4, 6, 8), then `/` and a slave's height, or `*` for a tribun":
    '`{1}` không phải quân: hãy viết độ cao (1, 2, 3, 4, 6, 8), rồi `/` và độ cao nô lệ, hoặc `*` cho hộ dân quan',
  '`{}` is not a unit: {}': '`{1}` không phải quân: {2}',
  'the base64 of a board has {} characters, not {}': 'base64 của bàn cờ có {1} ký tự, không phải {2}',
  'character {} of the base64, `{}`, is not expected there':
    'ký tự thứ {1} của base64, `{2}`, không hợp ở đó',
  'the last character before the padding has bits that belong to no byte':
    'ký tự cuối trước phần đệm có bit không thuộc byte nào',
  'the text ends where {} should follow': 'văn bản kết thúc ở chỗ lẽ ra phải có {1}',
  'a board': 'bàn cờ',
  "White's units": 'các quân Trắng',
  '`b` or `w` for the turn': '`b` hoặc `w` cho lượt đi',
  "`{}` stands where White's units should: they begin with `white:`":
    '`{1}` đứng ở chỗ của các quân Trắng: phần đó bắt đầu bằng `white:`',
  '`{}` is not a unit on a tile, as in `f6=3/2`': '`{1}` không phải quân trên ô, như `f6=3/2`',
  'two units stand on {}': 'có hai quân ở {1}',
  "`{}` is nobody's turn: `b` is Black's and `w` is White's":
    '`{1}` không phải lượt của ai: `b` là Đen và `w` là Trắng',
  '`{}` is no draw offer: write `-`, `offer:b`, `offer:w`, `declined:b` or `declined:w`':
    '`{1}` không phải đề nghị hòa: hãy viết `-`, `offer:b`, `offer:w`, `declined:b` hoặc `declined:w`',
  '`{}` follows the end of the position': '`{1}` thừa ra sau thế cờ',

  // Tribun: actions and records.
  '`{}` is no action: write one such as f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5, f6!g7':
    '`{1}` không phải hành động: hãy viết như f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5, f6!g7',
  '`{}` is not an amount from 1 to 8': '`{1}` không phải số lượng từ 1 đến 8',
  '`{}` is not the height of a part: 1, 2, 3, 4 or 6':
    '`{1}` không phải độ cao của một phần: 1, 2, 3, 4 hoặc 6',
  '{} and {} do not touch': '{1} và {2} không kề nhau',
  '{} is named twice': '{1} được nêu hai lần',
  'these donors do not combine: two give, or six around the centre give 1 each, or three of every second give the same 1 or 2':
    'các quân này không hợp được: hai quân góp, hoặc sáu quân quanh tâm góp mỗi quân 1, hoặc ba quân cách một góp cùng 1 hay 2',
  '{} is not an action on the board': '{1} không phải hành động trên bàn cờ',
  '{} is not legal in this position': '{1} không hợp lệ trong thế cờ này',
  'the player is not to move without an action': 'bên này chưa đến lượt',
  '`{}` is not a tag, as in `[Event "An evening"]`': '`{1}` không phải thẻ, như `[Event "An evening"]`',
  'there are no rules called `{}`': 'không có luật nào tên `{1}`',
  'the position: {}': 'thế cờ: {1}',
  '`{}` is no result: write `*`, or who won (Black, White, draw) and why, as in `Black: resignation`':
    '`{1}` không phải kết quả: hãy viết `*`, hoặc bên thắng (Black, White, draw) và lý do, như `Black: resignation`',
  'the result is `{}`, but the game ends with `{}`': 'kết quả là `{1}`, nhưng ván cờ kết thúc với `{2}`',
  'action {}: {}': 'hành động {1}: {2}',
  '`{}` is no draw offer: write `{-}`, `{offer:b}` or `{declined:b}`, or w for White':
    '`{1}` không phải đề nghị hòa: hãy viết `{-}`, `{offer:b}` hoặc `{declined:b}`, hay w cho Trắng',
  '`{}` follows the end of the game': '`{1}` đứng sau khi ván cờ đã kết thúc',
  'opcode {} is not in use': 'mã lệnh {1} không được dùng',
  '{} has no field for the bits {} of its payload': '{1} không có trường cho các bit {2} của nó',
  '{} of {}: {}': '{1} của {2}: {3}',
  '{} of {} cannot be {}: {}': '{1} của {2} không thể là {3}: {4}',
  'directions are 0 to 5': 'các hướng là 0 đến 5',
  'a tie by game time has no loser, and its bit is 0': 'hòa vì hết giờ thì không ai thua, và bit đó là 0',
  'it is a higher direction than dirA': 'nó là hướng lớn hơn dirA',
  'configurations are 0 to 2': 'các cấu hình là 0 đến 2',
  'six give 1 each, three give 1 or 2 each': 'sáu quân góp mỗi quân 1, ba quân góp mỗi quân 1 hoặc 2',
  'parts have height 1, 2, 3, 4 or 6': 'các phần cao 1, 2, 3, 4 hoặc 6',

  // What a network sees.
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
  'everywhere 1/3, 2/3 or 1 at the first, second or a later occurrence':
    'khắp nơi 1/3, 2/3 hoặc 1 ở lần xuất hiện thứ nhất, thứ hai hoặc sau nữa',
  '1 on the square that a pawn can legally take on': '1 ở ô mà tốt được phép bắt qua đường',
  'everywhere 1 with the right, 0 without': 'khắp nơi 1 nếu còn quyền, 0 nếu không',
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
