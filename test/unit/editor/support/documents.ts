import type * as fake from './vscode';

/** Documents and editors of a window, as far as read-only documents need them. */

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(from: number | Position, character: number | Position, toLine = 0, toCharacter = 0) {
    this.start = typeof from === 'number' ? new Position(from, character as number) : from;
    this.end = typeof from === 'number' ? new Position(toLine, toCharacter) : (character as Position);
  }
  get active(): Position {
    return this.end;
  }
}

interface Parts {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}
export class Uri implements Parts {
  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query: string,
  ) {}
  static file = (path: string) => new Uri('file', path, '');
  static from = ({ scheme, path, query }: Parts) => new Uri(scheme, path, query);
  get fsPath(): string {
    return this.path;
  }
  with(parts: Partial<Parts>): Uri {
    return Uri.from({ scheme: this.scheme, path: this.path, query: this.query, ...parts });
  }
}

interface Provider {
  provideTextDocumentContent(uri: Uri): string | Promise<string>;
}
export interface FakeEditor {
  readonly document: { readonly uri: Uri; readonly text: string };
  selection: Range;
  selections: readonly Range[];
  /** The range that was brought into view. */
  revealed: Range | undefined;
  readonly beside: boolean;
  /** Rows by decoration: those that are highlighted, and those in bold. */
  readonly decorated: Map<unknown, readonly number[]>;
}

export const documents = {
  providers: new Map<string, Provider>(),
  /** File sizes to report. */
  stat: (_path: string) => 0,
  editor: undefined as FakeEditor | undefined,
  /** Shows an editor again, as VS Code does. */
  shows: (_editors: readonly unknown[]): void => {},
  decorations: 0,
};

/** Documents that are open: VS Code returns each as it is, and reads it again only later, if its provider says that it changed. */
const open = new Map<string, Awaited<ReturnType<typeof readDocument>>>();
const documentOf = async (uri: Uri) => {
  const name = `${uri.scheme}:${uri.path}?${uri.query}`;
  const document = open.get(name) ?? (await readDocument(uri));
  open.set(name, document);
  return document;
};
const readDocument = async (uri: Uri) => {
  const text = (await documents.providers.get(uri.scheme)?.provideTextDocumentContent(uri)) ?? '';
  const lines = text.split('\n');
  const lineAt = (row: number) => ({ text: lines[row], range: new Range(row, 0, row, lines[row]?.length ?? 0) });
  return { uri, text, lineCount: lines.length, lineAt };
};

/** The editor with documents. */
export function withDocuments(vscode: typeof fake) {
  const register = (scheme: string, provider: Provider) => {
    open.clear();
    documents.providers.set(scheme, provider);
    return { dispose: () => void documents.providers.delete(scheme) };
  };
  return {
    ...vscode,
    Position,
    Range,
    Selection: Range,
    Uri,
    CodeLens: class {
      constructor(
        readonly range: Range,
        readonly command: unknown,
      ) {}
    },
    ViewColumn: { Beside: -2 },
    OverviewRulerLane: { Full: 7 },
    TextEditorRevealType: { InCenter: 1, InCenterIfOutsideViewport: 2 },
    Disposable: {
      from: (...all: readonly { dispose(): unknown }[]) => ({
        dispose: () => all.forEach((one) => void one.dispose()),
      }),
    },
    languages: { registerCodeLensProvider: () => ({ dispose: () => {} }) },
    workspace: {
      ...vscode.workspace,
      fs: { stat: ({ fsPath }: Uri) => Promise.resolve({ size: documents.stat(fsPath) }) },
      registerTextDocumentContentProvider: register,
      openTextDocument: documentOf,
    },
    window: {
      ...vscode.window,
      get activeTextEditor() {
        return documents.editor;
      },
      createTextEditorDecorationType: () => ({
        id: ++documents.decorations,
        dispose: () => void documents.decorations--,
      }),
      onDidChangeVisibleTextEditors: (listener: typeof documents.shows) => {
        documents.shows = listener;
        return { dispose: () => void (documents.shows = () => {}) };
      },
      showTextDocument: (document: FakeEditor['document'], how: { selection: Range; viewColumn?: number }) => {
        const editor = {
          document,
          selection: how.selection,
          selections: [how.selection],
          revealed: undefined as Range | undefined,
          beside: how.viewColumn === -2,
          decorated: new Map<unknown, readonly number[]>(),
          setDecorations(type: unknown, ranges: readonly Range[]) {
            this.decorated.set(
              type,
              ranges.flatMap(({ start, end }) => [start.line, end.line]),
            );
          },
          revealRange(range: Range) {
            this.revealed = range;
          },
        };
        documents.editor = editor;
        return Promise.resolve(editor);
      },
    },
  };
}
