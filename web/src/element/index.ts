// The custom element <sandtable-board>: attributes, properties, methods and events around the board that the page uses.

import { flushSync, mount, unmount } from 'svelte';
import boards from '../theme/boards.css?inline';
import controls from '../theme/controls.css?inline';
import dark from '../theme/dark.css?inline';
import light from '../theme/light.css?inline';
import type { PlayedMove, View } from '../lib/types';
import {
  DISPLAY_ATTRIBUTES,
  parseMoves,
  POSITION_ATTRIBUTES,
  type AttributeName,
  type Attributes,
} from './attributes';
import type {
  Arrow,
  ErrorDetail,
  Mark,
  MoveDetail,
  SandtableBoard as PublicBoard,
  SelectDetail,
  UpdateDetail,
} from './board';
import BoardElement from './BoardElement.svelte';
import css from './element.css?inline';
import { BoardModel, type Language } from './model.svelte';

/** The styles of the Svelte components; the build replaces the name with the text. */
declare const COMPONENT_STYLES: string;

const ATTRIBUTES = [...POSITION_ATTRIBUTES, ...DISPLAY_ATTRIBUTES];

async function request(route: string, body: unknown): Promise<unknown> {
  // Loaded by the first board, which shows a message if that fails.
  const { respond } = await import('sandtable/contract');
  return JSON.parse(await respond(route, JSON.stringify(body)));
}

interface Sheets {
  light: CSSStyleSheet[];
  dark: CSSStyleSheet[];
}
let sheets: Sheets | undefined;

/** The style sheets, shared by all boards. Unlike style elements, they also work under a content security policy. */
function styleSheets(): Sheets {
  if (sheets) return sheets;
  const sheet = (text: string) => {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    return made;
  };
  const [base, lightColors, darkColors] = [
    sheet(boards + controls + COMPONENT_STYLES + css),
    sheet(light),
    sheet(dark),
  ];
  return (sheets = { light: [lightColors, base], dark: [lightColors, darkColors, base] });
}

// Outside a browser the module can be imported, for example by a page that is rendered on a server, but defines nothing.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export class SandtableBoard extends Base {
  static readonly observedAttributes = [...ATTRIBUTES, 'lang'];

  declare game: string | null;
  declare rules: string | null;
  declare position: string | null;
  declare orientation: string | null;
  declare interactive: string | boolean | null;
  declare coordinates: string | null;
  declare animation: string | null;
  declare theme: string | null;
  declare board: string | null;
  declare pieces: string | null;

  // All properties but `moves` have the values of their attributes.
  static {
    for (const name of ATTRIBUTES.filter((attribute) => attribute !== 'moves')) {
      Object.defineProperty(this.prototype, name, {
        get(this: SandtableBoard) {
          return this.getAttribute(name);
        },
        set(this: SandtableBoard, value: string | number | boolean | null | undefined) {
          if (value === null || value === undefined || value === false) this.removeAttribute(name);
          else this.setAttribute(name, value === true ? '' : String(value));
        },
        configurable: true,
        enumerable: true,
      });
    }
  }

  readonly #root: ShadowRoot;
  readonly #model: BoardModel;
  #component: Record<string, unknown> | null = null;
  /** Whether attributes changed that are not applied yet. */
  #scheduled = false;
  readonly #prefersDark = matchMedia('(prefers-color-scheme: dark)');
  readonly #applyTheme = () => {
    const sheets = styleSheets();
    this.#root.adoptedStyleSheets = this.#isDark() ? sheets.dark : sheets.light;
  };

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open' });
    this.#model = new BoardModel(request, {
      allowMove: (move, view) => this.#allowMove(move, view),
      updated: (view) => {
        if (this.#component) flushSync();
        this.#dispatch<UpdateDetail>('update', { view });
      },
      failed: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        // An error event that bubbles would reach the error handlers of the window.
        this.dispatchEvent(new CustomEvent<ErrorDetail>('error', { detail: { message, error } }));
      },
    });
  }

  get moves(): string[] {
    return parseMoves(this.getAttribute('moves'));
  }
  set moves(texts: string[]) {
    this.setAttribute('moves', texts.join(' '));
  }

  get view(): View | null {
    return this.#model.view;
  }

  play(text: string): Promise<View> {
    this.#applyAttributes();
    return this.#model.extend(text);
  }

  undo(): Promise<View> {
    this.#applyAttributes();
    return this.#model.undo();
  }

  reset(): Promise<void> {
    return this.#model.apply(this.#attributes(), true);
  }

  setArrows(arrows: Iterable<Arrow>): void {
    this.#model.arrows = distinctBy(arrows, ({ from, to }) => `${from} ${to}`);
  }

  setMarks(marks: Iterable<Mark>): void {
    this.#model.marks = distinctBy(marks, ({ cell }) => cell);
  }

  clear(): void {
    this.#model.arrows = [];
    this.#model.marks = [];
    this.#model.clearSelection();
  }

  /** Focuses the cell that was focused last. */
  override focus(options?: FocusOptions): void {
    this.#root.querySelector<SVGElement>('[data-cell][tabindex="0"]')?.focus(options);
  }

  connectedCallback(): void {
    for (const name of ATTRIBUTES) this.#upgradeProperty(name);
    this.#prefersDark.addEventListener('change', this.#applyTheme);
    this.#applyTheme();
    this.#component = mount(BoardElement, {
      target: this.#root,
      props: { model: this.#model, host: this, onselect: (cell: string) => this.#select(cell) },
    });
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#prefersDark.removeEventListener('change', this.#applyTheme);
    if (this.#component) void unmount(this.#component);
    this.#component = null;
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return;
    if (name === 'theme') this.#applyTheme();
    this.#schedule();
  }

  /** Applies the attributes once, however many of them change in the current task. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#applyAttributes());
  }

  /** Applies the attributes if they changed. */
  #applyAttributes(): void {
    if (!this.#scheduled) return;
    this.#scheduled = false;
    this.#model.language = this.#language();
    void this.#model.apply(this.#attributes());
  }

  #attributes(): Attributes {
    const entries = ATTRIBUTES.map((name) => [name, this.getAttribute(name)]);
    return Object.fromEntries(entries) as Attributes;
  }

  /** The language of the element or the nearest ancestor that has one. */
  #language(): Language {
    const language = this.closest<HTMLElement>('[lang]')?.lang ?? '';
    return /^vi\b/i.test(language) ? 'vi' : 'en';
  }

  /** Without the attribute `theme`, the board follows the colour scheme of the text around it. */
  #isDark(): boolean {
    if (this.theme === 'light' || this.theme === 'dark') return this.theme === 'dark';
    const root = this.getRootNode();
    const parent = this.parentElement ?? (root instanceof ShadowRoot ? root.host : document.documentElement);
    const schemes = getComputedStyle(parent).colorScheme.split(' ');
    return schemes.includes('dark') && (this.#prefersDark.matches || !schemes.includes('light'));
  }

  #allowMove({ text, san, index, player }: PlayedMove, { position, turn, outcome }: View): boolean {
    const detail = { text, san, index, player, position, turn, outcome };
    return this.#dispatch<MoveDetail>('move', detail, true);
  }

  #select(cell: string): void {
    this.#dispatch<SelectDetail>('select', { cell, cells: this.#model.selection.cells });
  }

  #dispatch<T>(name: string, detail: T, cancelable = false): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }));
  }

  /** Applies a property that was set before the element was defined. */
  #upgradeProperty(name: AttributeName): void {
    if (!Object.hasOwn(this, name)) return;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- a type with the properties of the attributes
    const own: Partial<Record<AttributeName, unknown>> = this;
    const value = own[name];
    delete own[name];
    own[name] = value;
  }
}

/** The items with distinct keys; of several with the same key, the last. */
function distinctBy<T extends object>(items: Iterable<T>, key: (item: T) => string): T[] {
  return [...new Map([...items].map((item) => [key(item), { ...item }])).values()];
}

/** The class as the package declares it. */
const element: typeof PublicBoard = SandtableBoard;
if (globalThis.customElements && !customElements.get('sandtable-board')) {
  customElements.define('sandtable-board', element);
}
