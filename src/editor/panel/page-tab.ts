import * as vscode from 'vscode';
import { PAGE_OPTIONS, type PageName, pageHtml, tabIcon } from './html';

export interface PageTabOptions {
  readonly name: Exclude<PageName, 'panel'>;
  readonly title: string;
  /** Takes a message of the page, unchecked. */
  receive(message: unknown): void;
  /** Called when it comes into view. */
  shown(): void;
  /** Returns whether a tab is restored after a reload, by the state that its page stored. Without this function it always is. */
  takesBack?(state: unknown): boolean;
}

/** An editor tab with one of our pages, at most one of its kind. It stays open when the window reloads. */
export class PageTab implements vscode.Disposable {
  private page: vscode.WebviewPanel | undefined;
  private isReady = false;
  private readonly serializer: vscode.Disposable;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly options: PageTabOptions,
  ) {
    this.serializer = vscode.window.registerWebviewPanelSerializer(this.viewType, {
      deserializeWebviewPanel: (page, state: unknown) => Promise.resolve(this.takeBack(page, state)),
    });
  }

  get isVisible(): boolean {
    return this.page?.visible === true;
  }

  /** True if it is in view and its script has reported that it listens. */
  get listens(): boolean {
    return this.isVisible && this.isReady;
  }

  /** Notes that its script listens from now on. */
  ready(): void {
    this.isReady = true;
  }

  /** @returns whether it is new: VS Code then keeps what is sent to it until the page has loaded */
  show(): boolean {
    if (this.page) {
      this.page.reveal();
      return false;
    }
    const { title } = this.options;
    const { Active } = vscode.ViewColumn;
    this.adopt(vscode.window.createWebviewPanel(this.viewType, title, Active, PAGE_OPTIONS));
    return true;
  }

  send(message: unknown): void {
    void this.page?.webview.postMessage(message);
  }

  dispose(): void {
    this.serializer.dispose();
    this.page?.dispose();
  }

  private get viewType(): string {
    return `unstuck.${this.options.name}`;
  }

  private takeBack(page: vscode.WebviewPanel, state: unknown): void {
    if (this.options.takesBack?.(state) === false) page.dispose();
    else this.adopt(page);
  }

  private adopt(page: vscode.WebviewPanel): void {
    // VS Code restores a tab only when it is looked at, and another may have been opened before.
    this.page?.dispose();
    this.page = page;
    this.isReady = false;
    page.iconPath = tabIcon(this.extensionUri);
    page.webview.options = PAGE_OPTIONS;
    page.webview.onDidReceiveMessage((message: unknown) => this.options.receive(message));
    page.onDidChangeViewState(() => {
      if (page.visible) this.options.shown();
    });
    page.onDidDispose(() => {
      if (this.page !== page) return;
      this.page = undefined;
      this.isReady = false;
    });
    page.webview.html = pageHtml(this.extensionUri, this.options.name);
  }
}
