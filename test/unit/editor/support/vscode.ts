import { vi } from 'vitest';

type Kind = 'information' | 'warning' | 'error';

/** The editor as a test sees it, and the answers of the person. */
export const editor = {
  /** Answers to dialogs, in order. */
  answers: [] as (string | undefined)[],
  shown: [] as { readonly kind: Kind; readonly text: string; readonly buttons: readonly unknown[] }[],
  commands: [] as unknown[][],
  /** The handlers of registered commands. */
  registered: new Map<string, (...args: unknown[]) => unknown>(),
  /** Labels of each list that was shown. */
  picked: [] as (readonly string[])[],
  /** The same lists with everything in their rows. */
  picks: [] as (readonly unknown[])[],
  /** The question of each list. */
  questions: [] as (string | undefined)[],
  boxes: [] as FakeQuickPick[],
  trees: [] as FakeTree[],
  /** Messages of the status bar, titles and messages of running tasks, names of terminals. */
  passing: [] as string[],
  /** Presses *Cancel* of each running progress. */
  cancels: new Set<() => void>(),
  /** Options of lists and input boxes. */
  options: [] as unknown[],
  /** The target of each written setting. */
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

export const Disposable = { from: () => ({ dispose: () => {} }) };

/** A list with a text box, as a person types into it. */
export class FakeQuickPick {
  title = '';
  placeholder = '';
  ignoreFocusOut = false;
  canSelectMany = false;
  items: readonly { readonly label: string; readonly picked?: boolean }[] = [];
  selectedItems: FakeQuickPick['items'] = [];
  value = '';
  private readonly typed = new EventEmitter<void>();
  private readonly ticked = new EventEmitter<void>();
  private readonly accepted = new EventEmitter<void>();
  private readonly hidden = new EventEmitter<void>();
  readonly onDidChangeValue = this.typed.event;
  readonly onDidChangeSelection = this.ticked.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  show = vi.fn();
  hide(): void {
    this.hidden.fire();
  }
  dispose = vi.fn();
  type(text: string): void {
    this.value = text;
    this.typed.fire();
  }
  tick(...labels: readonly string[]): void {
    this.selectedItems = this.items.filter(({ label }) => labels.includes(label));
    this.ticked.fire();
  }
  press(key: 'Enter' | 'Escape'): void {
    if (key === 'Enter') this.accepted.fire();
    else this.hidden.fire();
  }
}

export class MarkdownString {
  constructor(
    readonly value = '',
    readonly supportThemeIcons = false,
  ) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

/** A tree as a test sees it, and what VS Code should draw in it. */
export interface FakeTree {
  readonly id: string;
  readonly provider: {
    getChildren(node?: unknown): unknown;
    getTreeItem(node: unknown): TreeItem & { tooltip?: unknown; description?: unknown; command?: unknown };
    resolveTreeItem?(item: TreeItem, node: unknown): TreeItem & { tooltip?: unknown };
  };
  /** The nodes of the selected rows. */
  selection: unknown[];
  readonly dispose: () => void;
  /** False if the person has closed the view. */
  visible: boolean;
  readonly canSelectMany: boolean;
  message: unknown;
  badge: { readonly value: number; readonly tooltip: string } | undefined;
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

/** Entries of the Problems view, by path. */
export const diagnostics = new Map<string, readonly Diagnostic[]>();
export const languages = {
  createDiagnosticCollection: () => ({
    set: (uri: Uri, list: readonly Diagnostic[]) => void diagnostics.set(uri.fsPath, list),
    delete: (uri: Uri) => void diagnostics.delete(uri.fsPath),
    dispose: () => diagnostics.clear(),
  }),
};

/** Text of the file that the person chooses; undefined if none is chosen. */
let openedFile: string | undefined;
export const chooseFile = (text: string | undefined): void => void (openedFile = text);

export const windowStates = new EventEmitter<void>();
/** Changes that a person makes: to a setting by its full name, the trust in the folder, the folders, the colors. */
export const changes = {
  setting: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
  trust: new EventEmitter<void>(),
  folders: new EventEmitter<void>(),
  theme: new EventEmitter<void>(),
};
export const changeSetting = (name: string, value: unknown): void => {
  settings.set(name, value);
  changes.setting.fire({ affectsConfiguration: (section) => `unstuck.${name}`.startsWith(section) });
};
export const StatusBarAlignment = { Left: 1 };
/** The section `unstuck` of the settings. */
export const settings = new Map<string, unknown>();
/** The folder's own settings. */
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
/** Untitled documents that were shown, and the copied text. */
export const opened: { readonly content: string; readonly language: string }[] = [];
export const version = '1.139.0';
export const ProgressLocation = { Window: 10, Notification: 15 };
export const QuickPickItemKind = { Separator: -1 };
/** Models of the chat. */
export const lm = {
  models: [] as { readonly vendor: string; readonly id: string; readonly name: string }[],
  selectChatModels: ({ id }: { readonly id: string }) => Promise.resolve(lm.models.filter((model) => model.id === id)),
};
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
  onDidChangeConfiguration: changes.setting.event,
  onDidGrantWorkspaceTrust: changes.trust.event,
  onDidChangeWorkspaceFolders: changes.folders.event,
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
/** The serializer that the extension registered. */
let revive: ((panel: unknown, state: unknown) => Promise<void>) | undefined;
/** Restores a panel after a reload, as VS Code does, with the state that its page stored. */
export const restorePanel = async (panel: unknown, state: unknown): Promise<void> => revive?.(panel, state);

export const ColorThemeKind = { Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const window = {
  activeColorTheme: { kind: ColorThemeKind.Dark },
  registerWebviewPanelSerializer(
    _type: string,
    serializer: { deserializeWebviewPanel(panel: unknown, state: unknown): Promise<void> },
  ) {
    revive = (panel, state) => serializer.deserializeWebviewPanel(panel, state);
    return { dispose: () => void (revive = undefined) };
  },
  state: { focused: true },
  onDidChangeWindowState: windowStates.event,
  onDidChangeActiveColorTheme: changes.theme.event,
  showTextDocument: () => Promise.resolve(),
  withProgress<T>(
    { title }: { readonly title: string },
    task: (progress: { report(step: { readonly message: string }): void }, token: unknown) => Promise<T>,
  ): Promise<T> {
    editor.passing.push(title);
    const token = {
      onCancellationRequested(cancel: () => void) {
        editor.cancels.add(cancel);
        return { dispose: () => void editor.cancels.delete(cancel) };
      },
    };
    return task({ report: ({ message: said }) => void editor.passing.push(said) }, token);
  },
  setStatusBarMessage: (text: string) => void editor.passing.push(text),
  createTerminal({ name }: { readonly name: string }) {
    editor.passing.push(name);
    return { show: () => {} };
  },
  createTreeView(
    id: string,
    {
      treeDataProvider,
      canSelectMany,
    }: { readonly treeDataProvider: FakeTree['provider']; readonly canSelectMany: boolean },
  ) {
    const provider = treeDataProvider;
    const tree = {
      dispose: vi.fn(),
      id,
      provider,
      canSelectMany,
      visible: true,
      selection: [],
      message: '',
      badge: undefined,
    };
    editor.trees.push(tree);
    return tree;
  },
  createStatusBarItem: () => editor.item,
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showErrorMessage: message('error'),
  showOpenDialog: () => Promise.resolve(openedFile === undefined ? undefined : [Uri.file('/chosen')]),
  showInputBox(options: { readonly prompt?: string }): Promise<string | undefined> {
    editor.options.push(options);
    editor.questions.push(options.prompt);
    return Promise.resolve(editor.answers.shift());
  },
  createQuickPick() {
    const box = new FakeQuickPick();
    editor.boxes.push(box);
    return box;
  },
  async showQuickPick<T extends { readonly label: string; readonly row: unknown }>(
    rows: readonly T[] | Promise<readonly T[]>,
    options: { readonly placeHolder: string; readonly canPickMany?: boolean },
  ): Promise<T | readonly T[] | undefined> {
    const items = await rows;
    editor.options.push(options);
    editor.questions.push(options.placeHolder);
    editor.picked.push(items.map(({ label }) => label));
    // The row that the caller gets back is not part of what is shown.
    editor.picks.push(items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'row'))));
    const answer = editor.answers.shift();
    const found = items.filter(({ label }) => label === answer);
    return options.canPickMany === true ? found : found[0];
  },
};
export const commands = {
  registerCommand(id: string, run: (...args: unknown[]) => unknown) {
    editor.registered.set(id, run);
    return { dispose: () => void editor.registered.delete(id) };
  },
  executeCommand(...command: unknown[]): Promise<void> {
    editor.commands.push(command);
    return Promise.resolve();
  },
};

export function resetEditor(): void {
  editor.answers.length = 0;
  editor.shown.length = 0;
  editor.commands.length = 0;
  editor.registered.clear();
  editor.picked.length = 0;
  editor.picks.length = 0;
  editor.questions.length = 0;
  editor.options.length = 0;
  editor.boxes.length = 0;
  editor.trees.length = 0;
  editor.passing.length = 0;
  editor.cancels.clear();
  editor.targets.length = 0;
  settings.clear();
  folderSettings.clear();
  filesByGlob.clear();
  env.remoteName = undefined;
  env.copied.length = 0;
  lm.models.length = 0;
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
