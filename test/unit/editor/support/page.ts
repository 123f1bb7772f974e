import type * as fake from './vscode';

/** The one tab with our page, as a test sees it. */
export const page = {
  /** Titles of the tabs that were opened. */
  opened: [] as string[],
  revealed: 0,
  disposed: 0,
  /** Messages to the page. */
  sent: [] as object[],
  says: (_message: unknown): void => undefined,
  turns: (_isVisible: boolean): void => undefined,
  /** Closes the tab, as the person does. */
  closes: (): void => undefined,
};

/** Makes a tab, as VS Code does. */
export function makeTab() {
  let turned = () => {};
  const tab = {
    visible: true,
    iconPath: '',
    webview: {
      html: '',
      options: {},
      postMessage: (message: object) => void page.sent.push(message),
      onDidReceiveMessage: (listener: typeof page.says) => void (page.says = listener),
    },
    reveal: () => void page.revealed++,
    onDidChangeViewState: (listener: typeof turned) => void (turned = listener),
    onDidDispose: (listener: typeof turned) => void (page.closes = listener),
    dispose: () => void page.disposed++,
  };
  page.turns = (isVisible) => {
    tab.visible = isVisible;
    turned();
  };
  return tab;
}

/** The editor with tabs. */
export function withPages(vscode: typeof fake) {
  const createWebviewPanel = (_type: string, title: string) => (page.opened.push(title), makeTab());
  return { ...vscode, ViewColumn: { Active: -1, Beside: -2 }, window: { ...vscode.window, createWebviewPanel } };
}

/** Stands in for `panel/html`. */
export const htmlOfPages = { PAGE_OPTIONS: {}, pageHtml: () => 'page', tabIcon: () => 'icon' };

export function resetPage(): void {
  Object.assign(page, { opened: [], revealed: 0, disposed: 0, sent: [] });
}
