/** A record that could not be understood, with the reason. It costs only this entry, never the session. */
export interface Problem {
  readonly line: number;
  readonly offset: number;
  /** One short sentence without the record's text, for example `not valid JSON`, `unknown type "foo"`. */
  readonly why: string;
  /** Set if it looks like a call of a tool: a step that no rule sees. */
  readonly call?: true;
}
