// The form for a new game: what the player has chosen, and the request that creates the game.

import type { Key } from '../../i18n';
import type { Access, Kind, NewGame, PositionRequest, Seat, Seats } from '../types';
import { readChoice, storeChoice, type Choice, type Opponent } from './last-choice';

/** `friend` takes the other seat with a link, `lobby` is anyone, `human` sits at this screen. */
export const OPPONENTS: Record<Access, [Opponent, Key][]> = {
  open: [
    ['engine', 'home.engine'],
    ['human', 'home.person'],
  ],
  seats: [
    ['engine', 'home.engine'],
    ['friend', 'home.friend'],
    ['lobby', 'home.lobby'],
    ['human', 'home.twoHere'],
  ],
};

export interface NewGameOptions {
  kinds: Kind[];
  access: Access;
  /** The position that a link names; null if there is none. */
  request: PositionRequest | null;
  /** The opponent selected at first. */
  opponent: Opponent | undefined;
}

export class NewGameForm {
  /** The name of the game. */
  kindName: string;
  private selectedRules: string;
  opponent: Opponent;
  level: number;
  side: Choice['side'];
  clock: Choice['clock'];
  chat = $state(true);
  isPublic = $state(false);
  /** Whether the page has no game of the kind that the link names. */
  readonly isUnknown: boolean;

  readonly kind: Kind | undefined = $derived.by(() =>
    this.options.kinds.find(({ name }) => name === this.kindName),
  );
  /** Whether two people on different devices play, who can write to each other. */
  readonly hasChat = $derived.by(() => this.opponent === 'friend' || this.opponent === 'lobby');
  /** The position to start from, unless the player chose another game. */
  readonly startRequest: PositionRequest | null = $derived.by(() =>
    this.options.request?.kind === this.kindName ? this.options.request : null,
  );

  /** Starts with what the link names; the rest is as in the last game. */
  constructor(
    private readonly options: NewGameOptions,
    last: Choice = readChoice(),
  ) {
    const { kinds, access, request, opponent } = options;
    const isKnown = (kind: string | undefined) => kinds.some(({ name }) => name === kind);
    this.isUnknown = request !== null && !isKnown(request.kind);
    this.kindName = $state([request?.kind, last.kind].find(isKnown) ?? kinds[0]?.name ?? '');
    this.selectedRules = $state(request ? (request.rules ?? '') : last.rules);
    this.opponent = $state(
      [opponent, last.opponent].find((candidate) =>
        OPPONENTS[access].some(([available]) => available === candidate),
      ) ?? 'engine',
    );
    this.level = $state(last.level);
    this.side = $state(last.side);
    this.clock = $state.raw(last.clock);
  }

  /** The selected rules, or the default of the game if it does not have them. */
  get rules(): string {
    const rules = this.kind?.rules ?? [];
    return rules.includes(this.selectedRules) ? this.selectedRules : (rules[0] ?? '');
  }

  set rules(rules: string) {
    this.selectedRules = rules;
  }

  /** Stores the choices for the next game. */
  remember(): void {
    const { kindName: kind, rules, opponent, level, side, clock } = this;
    storeChoice({ kind, rules, opponent, level, side, clock });
  }

  /** The request that creates the game. `ownName` is empty for a player without a name. */
  newGame(ownName: string): NewGame {
    const { kindName: kind, rules, clock, startRequest, opponent } = this;
    return {
      kind,
      rules,
      ...(startRequest?.position ? { position: startRequest.position } : {}),
      ...(startRequest?.moves ? { moves: startRequest.moves } : {}),
      seats: this.seats(ownName),
      clock,
      ...(this.options.access === 'seats'
        ? { public: this.isPublic, lobby: opponent === 'lobby', chat: this.hasChat && this.chat }
        : {}),
    };
  }

  private seats(ownName: string): Seats {
    const { opponent, level, side } = this;
    if (opponent === 'human') return { first: { type: 'human' }, second: { type: 'human' } };
    const hasName = this.options.access === 'seats' && ownName !== '';
    const own: Seat = { type: 'human', ...(hasName ? { name: ownName } : {}) };
    const other: Seat = opponent === 'engine' ? { type: 'engine', level } : { type: 'open' };
    const ownSide = side === 'random' ? (Math.random() < 0.5 ? 'first' : 'second') : side;
    return ownSide === 'first' ? { first: own, second: other } : { first: other, second: own };
  }
}
