import { vi } from 'vitest';

type Kind = 'information' | 'warning' | 'error';

/** What a test sees of the editor, and what the person answers. */
export const editor = {
  /** Answers of dialogs, in turn. */
  answers: [] as (string | undefined)[],
  shown: [] as { readonly kind: Kind; readonly text: string; readonly buttons: readonly unknown[] }[],
  commands: [] as unknown[][],
  /** Labels of each list that was shown. */
  picked: [] as (readonly string[])[],
  /** The same with everything that their rows say. */
  picks: [] as (readonly unknown[])[],
  /** What each list asked. */
  questions: [] as (string | undefined)[],
  /** Whose settings were written. */
  targets: [] as string[],
  item: {
    text: '',
    backgroundColor: undefined as unknown,
    command: undefined as unknown,
    tooltip: undefined as unknown,
    show: vi.fn(),
    hide: vi.fn(),
    dispose: vi.fn(),
  },
};

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class MarkdownString {
  value = '';
  appendText(text: string): this {
    this.value += text;
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class Uri {
  private constructor(readonly fsPath: string) {}
  static file(path: string): Uri {
    return new Uri(path);
  }
  static from({ scheme, authority, path }: { scheme: string; authority: string; path: string }): string {
    return `${scheme}://${authority}${path}`;
  }
}

export class Range {
  constructor(
    readonly startLine: number,
    readonly startCharacter: number,
    readonly endLine: number,
    readonly endCharacter: number,
  ) {}
}

export const DiagnosticSeverity = { Error: 0 };
export class Diagnostic {
  source: string | undefined;
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

/** What the Problems view has, by path. */
export const diagnostics = new Map<string, readonly Diagnostic[]>();
export const languages = {
  createDiagnosticCollection: () => ({
    set: (uri: Uri, list: readonly Diagnostic[]) => void diagnostics.set(uri.fsPath, list),
    delete: (uri: Uri) => void diagnostics.delete(uri.fsPath),
    dispose: () => diagnostics.clear(),
  }),
};

/** Text of the file that a person chooses; undefined: none is chosen. */
let openedFile: string | undefined;
export const chooseFile = (text: string | undefined): void => void (openedFile = text);

export const windowStates = new EventEmitter<void>();
export const StatusBarAlignment = { Left: 1 };
/** The section `unstuck` of the settings. */
export const settings = new Map<string, unknown>();
/** What the folder's own settings say. */
export const folderSettings = new Map<string, unknown>();
export const ConfigurationTarget = { Global: 'global', Workspace: 'workspace' };
/** Files of the workspace by glob. */
export const filesByGlob = new Map<string, readonly string[]>();
export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}
/** Untitled documents that were shown, and what was copied. */
export const opened: { readonly content: string; readonly language: string }[] = [];
export const version = '1.139.0';
export const ProgressLocation = { Window: 10 };
export const env = {
  remoteName: undefined as string | undefined,
  appName: 'VS Code',
  copied: [] as string[],
  clipboard: { writeText: (text: string) => Promise.resolve(void env.copied.push(text)) },
};
export const workspace = {
  fs: {
    stat: () => Promise.resolve({ size: openedFile?.length ?? 0 }),
    readFile: () => Promise.resolve(new TextEncoder().encode(openedFile)),
  },
  isTrusted: true,
  openTextDocument: (document: { readonly content: string; readonly language: string }) => {
    opened.push(document);
    return Promise.resolve(document);
  },
  workspaceFolders: [] as unknown[],
  findFiles: ({ pattern }: RelativePattern, _excluded: string, most: number) =>
    Promise.resolve((filesByGlob.get(pattern) ?? []).slice(0, most).map((path) => Uri.file(path))),
  getConfiguration: () => ({
    get: (name: string) => folderSettings.get(name) ?? settings.get(name),
    inspect: (name: string) => ({
      globalValue: settings.get(name),
      workspaceValue: folderSettings.get(name) ?? settings.get(name),
    }),
    update: (name: string, value: unknown, target: string) => {
      settings.set(name, value);
      editor.targets.push(target);
      return Promise.resolve();
    },
  }),
};
export const window = {
  state: { focused: true },
  onDidChangeWindowState: windowStates.event,
  showTextDocument: () => Promise.resolve(),
  withProgress: <T>(_options: unknown, task: () => Promise<T>) => task(),
  createStatusBarItem: () => editor.item,
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showErrorMessage: message('error'),
  showOpenDialog: () => Promise.resolve(openedFile === undefined ? undefined : [Uri.file('/chosen')]),
  showInputBox(options: { readonly prompt?: string }): Promise<string | undefined> {
    editor.questions.push(options.prompt);
    return Promise.resolve(editor.answers.shift());
  },
  showQuickPick<T extends string | { readonly label: string }>(
    items: readonly T[],
    options?: { readonly placeHolder?: string },
  ): Promise<T | undefined> {
    editor.questions.push(options?.placeHolder);
    const labelOf = (item: T) => (typeof item === 'string' ? item : item.label);
    editor.picked.push(items.map(labelOf));
    editor.picks.push(items);
    const answer = editor.answers.shift();
    return Promise.resolve(items.find((item) => labelOf(item) === answer));
  },
};
export const commands = {
  executeCommand(...command: unknown[]): Promise<void> {
    editor.commands.push(command);
    return Promise.resolve();
  },
};

export function resetEditor(): void {
  editor.answers.length = 0;
  editor.shown.length = 0;
  editor.commands.length = 0;
  editor.picked.length = 0;
  editor.picks.length = 0;
  editor.questions.length = 0;
  editor.targets.length = 0;
  settings.clear();
  folderSettings.clear();
  filesByGlob.clear();
  env.remoteName = undefined;
  env.copied.length = 0;
  opened.length = 0;
  openedFile = undefined;
  diagnostics.clear();
  editor.item.show.mockClear();
  editor.item.hide.mockClear();
  editor.item.dispose.mockClear();
  workspace.isTrusted = true;
  workspace.workspaceFolders.length = 0;
  window.state.focused = true;
}

function message(kind: Kind) {
  return (text: string, ...buttons: unknown[]) => {
    editor.shown.push({ kind, text, buttons });
    return Promise.resolve(editor.answers.shift());
  };
}
