// The type of the modules that rules-plugin.ts makes of the rules of the games (docs/rules).

/** The diagram that shows the range of a kind of piece. */
export interface RangeDiagram {
  /** The kind of piece, as `pieceKeys` names it. */
  explains: string;
  position: string;
  /** The cell of the piece. */
  piece: string;
  /** Kinds of moves that the diagram does not show. */
  hidden: string[];
  /** The range in words. */
  text: string;
}

export interface RulesPage {
  title: string;
  html: string;
  sections: { id: string; title: string }[];
  /** One for each kind of piece. */
  ranges: RangeDiagram[];
}
