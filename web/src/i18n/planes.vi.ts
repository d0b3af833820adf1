// The planes of the observations in Vietnamese, by encoding and English name.

import type { Catalog, PlaneText } from './server-text';

type Planes = Record<string, PlaneText>;

/** One plane for each of several things, with the same description. */
function family(
  things: Record<string, string>,
  english: (thing: string) => string,
  name: (thing: string) => string,
  description: (thing: string) => string,
): Planes {
  const entries = Object.entries(things).map(([thing, translated]): [string, PlaneText] => [
    english(thing),
    { name: name(translated), description: description(translated) },
  ]);
  return Object.fromEntries(entries);
}

const CHESS_PIECES = { pawns: 'tốt', knights: 'mã', bishops: 'tượng', rooks: 'xe', queens: 'hậu' };
const CASTLING = 'hằng số: 1 nếu còn quyền, 0 nếu không';
const STANDS = () => '1 ở nơi có một quân';

const chess: Planes = {
  ...family(
    CHESS_PIECES,
    (piece) => `own ${piece}`,
    (piece) => `${piece} ta`,
    STANDS,
  ),
  ...family(
    CHESS_PIECES,
    (piece) => `opponent ${piece}`,
    (piece) => `${piece} địch`,
    STANDS,
  ),
  'own king': { name: 'vua ta', description: '1 ở nơi nó đứng' },
  'opponent king': { name: 'vua địch', description: '1 ở nơi nó đứng' },
  repetition: {
    name: 'lặp lại',
    description: 'hằng số: 1/3, 2/3 hoặc 1 ở lần xuất hiện thứ nhất, thứ hai hoặc sau nữa',
  },
  'en passant': { name: 'bắt tốt qua đường', description: '1 ở ô đích của nước bắt tốt qua đường hợp lệ' },
  'own kingside castling': { name: 'ta nhập thành cánh vua', description: CASTLING },
  'own queenside castling': { name: 'ta nhập thành cánh hậu', description: CASTLING },
  'opponent kingside castling': { name: 'địch nhập thành cánh vua', description: CASTLING },
  'opponent queenside castling': { name: 'địch nhập thành cánh hậu', description: CASTLING },
};

const KINDS = {
  Navy: 'Hải quân',
  'Air Force': 'Không quân',
  Tank: 'Xe tăng',
  Engineer: 'Công binh',
  Headquarter: 'Sở chỉ huy',
  Commander: 'Tư lệnh',
  Infantry: 'Bộ binh',
  Militia: 'Dân quân',
  Artillery: 'Pháo binh',
  'Anti-Air': 'Cao xạ',
  Missile: 'Tên lửa',
};

const cotulenh: Planes = {
  ...family(
    KINDS,
    (kind) => `own ${kind}`,
    (kind) => `${kind} ta`,
    () => '1 ở nơi bên đến lượt có quân này, kể cả đang được chở',
  ),
  ...family(
    KINDS,
    (kind) => `enemy ${kind}`,
    (kind) => `${kind} địch`,
    () => '1 ở nơi đối phương có quân này, kể cả đang được chở',
  ),
  ...family(
    KINDS,
    (kind) => `own heroic ${kind}`,
    (kind) => `${kind} anh hùng ta`,
    () => '1 ở nơi bên đến lượt có quân này là anh hùng',
  ),
  ...family(
    KINDS,
    (kind) => `enemy heroic ${kind}`,
    (kind) => `${kind} anh hùng địch`,
    () => '1 ở nơi đối phương có quân này là anh hùng',
  ),
  ...family(
    KINDS,
    (kind) => `pending ${kind}`,
    (kind) => `${kind} chưa đi`,
    () => '1 ở gốc triển khai nếu quân này chưa đi',
  ),
  repetition: { name: 'lặp lại', description: '1 khắp nơi nếu thế cờ đã từng xuất hiện' },
  clock: { name: 'đồng hồ', description: 'số lượt không ăn quân / 100 khắp nơi, nhiều nhất là 1' },
  origin: { name: 'gốc triển khai', description: '1 ở gốc của cuộc triển khai đang diễn ra' },
  'navy ground': { name: 'chỗ của hải quân', description: '1 ở nơi hải quân đứng được' },
  'land ground': { name: 'chỗ trên cạn', description: '1 ở nơi các quân khác đứng được' },
  'own fire': { name: 'hỏa lực ta', description: '1 trong vùng phòng không của bên đến lượt' },
  'enemy fire': { name: 'hỏa lực địch', description: '1 trong vùng phòng không của đối phương' },
};

const HEIGHTS = { 1: '1', 2: '2', 3: '3', 4: '4', 6: '6', 8: '8' };

const tribun: Planes = {
  board: { name: 'bàn cờ', description: '1 ở 91 ô' },
  ...family(
    HEIGHTS,
    (height) => `own ${height}`,
    (height) => `${height} ta`,
    (height) => `1 ở nơi quân ta cao ${height}`,
  ),
  ...family(
    HEIGHTS,
    (height) => `enemy ${height}`,
    (height) => `${height} địch`,
    (height) => `1 ở nơi quân địch cao ${height}`,
  ),
  ...family(
    HEIGHTS,
    (height) => `own slave ${height}`,
    (height) => `nô lệ ${height} của ta`,
    (height) => `1 ở nơi quân ta giữ nô lệ cao ${height}`,
  ),
  ...family(
    HEIGHTS,
    (height) => `enemy slave ${height}`,
    (height) => `nô lệ ${height} của địch`,
    (height) => `1 ở nơi quân địch giữ nô lệ cao ${height}`,
  ),
  'own tribun': { name: 'hộ dân quan ta', description: '1 ở nơi hộ dân quan ta đứng' },
  'enemy tribun': { name: 'hộ dân quan địch', description: '1 ở nơi hộ dân quan địch đứng' },
  'own offer': { name: 'ta đề nghị hòa', description: '1 khắp nơi nếu bên đến lượt đang đề nghị hòa' },
  'enemy offer': { name: 'địch đề nghị hòa', description: '1 khắp nơi nếu đối phương đang đề nghị hòa' },
  'own declined': {
    name: 'ta bị từ chối',
    description: '1 khắp nơi nếu bên đến lượt đã bị từ chối và chưa được đề nghị lại',
  },
  'enemy declined': {
    name: 'địch bị từ chối',
    description: '1 khắp nơi nếu đối phương đã bị từ chối và chưa được đề nghị lại',
  },
};

export const planes: Catalog['planes'] = {
  'chess-canonical-1': chess,
  'cotulenh-observation-1': cotulenh,
  'tribun-observation-1': tribun,
};
