import * as vscode from 'vscode';
import { readPart } from '../../base/files';
import type { Source } from '../../core/model';

const SCHEME = 'unstuck-transcript';
/** Larger transcripts are shown as an excerpt around the line, since an editor does not open them well. */
const WHOLE_BYTES = 24 * 1024 * 1024;
const EXCERPT_BYTES = 2 * 1024 * 1024;

/** Counts line breaks up to a byte offset. The tail does it in slices. */
export type CountLines = (path: string, offset: number) => Promise<number>;

/** Returns the text of one session of a database, one record per line; undefined if the file is no database. */
export type SessionText = (path: string, session: string) => Promise<string | undefined>;

/** Shows transcripts read-only at a line. They are never opened as files: an accidental key press would change the file that an agent is writing. */
export class Transcripts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly countLines: CountLines,
    private readonly sessionText: SessionText,
  ) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** Opens a transcript beside the panel with a record selected. The place is found by its line, or by its offset if lines were not counted. */
  async show(source: Source, session: string): Promise<void> {
    const records = await this.sessionText(source.file, session);
    if (records !== undefined) return this.showRecord(source, session, records.length);
    const line = source.line > 0 ? source.line : (await this.countLines(source.file, source.offset)) + 1;
    const size = (await vscode.workspace.fs.stat(vscode.Uri.file(source.file))).size;
    const from = size > WHOLE_BYTES ? Math.max(0, source.offset - EXCERPT_BYTES / 2) : 0;
    // VS Code returns a document that is still open as it was. The size makes what has grown since another document.
    const query = from > 0 ? `from=${from}&size=${size}` : `size=${size}`;
    const uri = vscode.Uri.file(source.file).with({ scheme: SCHEME, query });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const first = from > 0 ? (await this.countLines(source.file, from)) + 1 : 0;
    const row = Math.min(Math.max(0, line - 1 - first), document.lineCount - 1);
    const range = document.lineAt(row).range;
    const editor = await vscode.window.showTextDocument(document, { preview: true, selection: range });
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
  }

  /** Opens a transcript with several records selected, the newest in view. Records in files other than the first one's are left out. */
  async showAll(sources: readonly Source[], session: string): Promise<void> {
    const last = sources.at(-1);
    if (!last) return;
    await this.show(last, session);
    const editor = vscode.window.activeTextEditor;
    const first = (editor?.selection.active.line ?? 0) - (last.line - 1);
    if (!editor || editor.document.uri.scheme !== SCHEME) return;
    const rows = sources.filter(({ file, line }) => file === last.file && line > 0).map(({ line }) => line - 1 + first);
    const inside = rows.filter((row) => row >= 0 && row < editor.document.lineCount);
    editor.selections = inside.map((row) => {
      const { start, end } = editor.document.lineAt(row).range;
      return new vscode.Selection(start, end);
    });
  }

  /** Shows a database as the records of one session, one per line. */
  private async showRecord({ file, line }: Source, session: string, size: number): Promise<void> {
    const query = `session=${encodeURIComponent(session)}&size=${size}`;
    const uri = vscode.Uri.file(file).with({ scheme: SCHEME, query });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const row = Math.min(Math.max(0, line - 1), document.lineCount - 1);
    const range = document.lineAt(row).range;
    const editor = await vscode.window.showTextDocument(document, { preview: true, selection: range });
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const session = /^session=([^&]+)/.exec(uri.query)?.[1];
    if (session !== undefined) return (await this.sessionText(uri.fsPath, decodeURIComponent(session))) ?? '';
    const from = Number(/^from=(\d+)/.exec(uri.query)?.[1] ?? 0);
    const read = await readPart(uri.fsPath, { from, length: from > 0 ? EXCERPT_BYTES : WHOLE_BYTES });
    if (!read.ok) throw new Error(`${read.error.path}: ${read.error.code}`);
    const text = read.value.bytes.toString('utf8');
    // An excerpt begins with the next whole line.
    return from > 0 ? text.slice(text.indexOf('\n') + 1) : text;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
