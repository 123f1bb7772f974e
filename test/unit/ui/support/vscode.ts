import { vi } from 'vitest';

/** The little of VS Code that thin parts of src/ui touch. Answers of dialogs are given in turn. */
export function fakeVscode() {
  const answers: (string | undefined)[] = [];
  const shown: { readonly kind: 'info' | 'warning' | 'error'; readonly text: string; readonly buttons: unknown[] }[] =
    [];
  const commands: unknown[][] = [];
  const item = { text: '', show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
  const ask =
    (kind: 'info' | 'warning' | 'error') =>
    (text: string, ...buttons: unknown[]) => {
      shown.push({ kind, text, buttons });
      return Promise.resolve(answers.shift());
    };
  class EventEmitter<T> {
    private readonly listeners = new Set<(value: T) => void>();
    readonly event = (listener: (value: T) => void) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
    fire(value: T) {
      for (const listener of this.listeners) listener(value);
    }
    dispose() {
      this.listeners.clear();
    }
  }
  class MarkdownString {
    value = '';
    appendText(text: string) {
      this.value += text;
      return this;
    }
    appendMarkdown(text: string) {
      this.value += text;
      return this;
    }
  }
  class ThemeColor {
    constructor(readonly id: string) {}
  }
  const windowState = new EventEmitter<void>();
  return {
    answers,
    shown,
    commands,
    item,
    windowState,
    EventEmitter,
    MarkdownString,
    ThemeColor,
    StatusBarAlignment: { Left: 1 },
    window: {
      state: { focused: true },
      onDidChangeWindowState: windowState.event,
      createStatusBarItem: () => item,
      showInformationMessage: ask('info'),
      showWarningMessage: ask('warning'),
      showErrorMessage: ask('error'),
    },
    workspace: { isTrusted: true, workspaceFolders: [] as unknown[] },
    commands_: commands,
    executeCommand: vi.fn(),
  };
}
