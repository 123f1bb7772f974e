import * as vscode from 'vscode';
import type { Incident, Sample, Source } from '../../core/model';
import { compare, comparedText } from '../panel-model/compare';
import { signs, signsInLine } from '../../base/util/showable';
import { type Excerpt, cutWords, excerptText } from '../../core/words';
import type { Transcripts } from './transcripts';
import { inform } from '../voice';

const SCHEME = 'unstuck-evidence';
/** Number of documents that are remembered: a person who opened more has closed the first. */
const REMEMBERED = 50;

/** Reads what happened around a place of a transcript; null if it cannot be read. */
export type ReadExcerpt = (place: Source, session: string) => Promise<Excerpt | null>;

/** Reads the same from the history; null if the history has nothing of that place. */
type KeptExcerpt = (place: Source, session: string) => Promise<Excerpt | null>;

interface Shown {
  readonly text: string;
  readonly lit: readonly [number, number];
  readonly heads: readonly number[];
  /** The place in the transcript; absent for a result that is compared. */
  readonly place?: { readonly source: Source; readonly session: string };
  /** True if the transcript no longer has it. */
  readonly isKept?: boolean;
}

/** Shows pieces of transcripts in readable form, as read-only documents. The raw line is one step further. */
export class EvidenceDocuments
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  private readonly shown = new Map<string, Shown>();
  private opened = 0;
  private readonly lit = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    // A bar at the left, because themes of high contrast have no background for it.
    borderColor: new vscode.ThemeColor('focusBorder'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private readonly heads = vscode.window.createTextEditorDecorationType({ isWholeLine: true, fontWeight: 'bold' });
  private readonly registrations: vscode.Disposable;

  constructor(
    private readonly readExcerpt: ReadExcerpt,
    private readonly keptExcerpt: KeptExcerpt,
    private readonly transcripts: Pick<Transcripts, 'show'>,
  ) {
    this.registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
      // An editor that is shown again has lost its decorations.
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.decorate(editor);
      }),
      vscode.commands.registerCommand('unstuck.openRawLine', () => this.openRaw()),
    );
  }

  /** Opens what happened around a place to the side, with the place highlighted. If the transcript no longer has it, shows what the history kept. */
  async show(source: Source, session: string): Promise<void> {
    const excerpt = (await this.readExcerpt(source, session)) ?? (await this.keptExcerpt(source, session));
    if (!excerpt) return this.transcripts.show(source, session);
    const rendered = excerptText(excerpt);
    const name = source.line > 0 ? `Line ${source.line}` : 'Transcript';
    const document = await this.open(`${name}, ${excerpt.agentName}`, {
      ...rendered,
      place: { source, session },
      isKept: excerpt.isKept === true,
    });
    // Puts the cursor between two blanks: a cursor on a word highlights that word everywhere.
    const cursor = new vscode.Position(rendered.lit[0], '00:00:00 '.length);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
      selection: new vscode.Range(cursor, cursor),
    });
    this.decorate(editor);
    editor.revealRange(
      new vscode.Range(rendered.lit[0], 0, rendered.lit[1], 0),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }

  /** Opens the first and the last result of an incident as a diff of what was compared, each ignored part by its kind. */
  async compare({ firstSample, lastSample, subject }: Incident): Promise<void> {
    if (!firstSample || !lastSample) return;
    const side = (sample: Sample, name: string) =>
      this.remember(name, { text: signs(comparedText(sample)), lit: [0, 0], heads: [] });
    const { heading } = compare({ ...firstSample.source, ...firstSample }, { ...lastSample.source, ...lastSample });
    const title = `${cutWords(signsInLine(subject), 40)}, first and last: ${heading}`;
    const left = side(firstSample, 'First');
    const right = side(lastSample, 'Last');
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
    });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.shown.get(uri.query)?.text ?? 'This excerpt is gone after the reload. Open it again from the panel.';
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const shown = this.shown.get(document.uri.query);
    if (!shown?.place || shown.isKept) return [];
    const range = new vscode.Range(shown.lit[0], 0, shown.lit[0], 0);
    return [new vscode.CodeLens(range, { command: 'unstuck.openRawLine', title: 'Open Raw Line' })];
  }

  dispose(): void {
    this.registrations.dispose();
    this.lit.dispose();
    this.heads.dispose();
  }

  private async openRaw(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const place = uri?.scheme === SCHEME ? this.shown.get(uri.query)?.place : undefined;
    if (place) await this.transcripts.show(place.source, place.session);
    else void inform('First open a line of the evidence.');
  }

  private async open(name: string, shown: Shown): Promise<vscode.TextDocument> {
    return vscode.workspace.openTextDocument(this.remember(name, shown));
  }

  /** Only documents that were opened here can be requested: the address contains a number, no path. */
  private remember(name: string, shown: Shown): vscode.Uri {
    const id = String(++this.opened);
    this.shown.set(id, shown);
    const [oldest] = this.shown.keys();
    if (this.shown.size > REMEMBERED && oldest !== undefined) this.shown.delete(oldest);
    return vscode.Uri.from({ scheme: SCHEME, path: `/${signsInLine(name).replaceAll('/', ' ')}`, query: id });
  }

  private decorate(editor: vscode.TextEditor): void {
    const { uri } = editor.document;
    const shown = uri.scheme === SCHEME ? this.shown.get(uri.query) : undefined;
    if (!shown?.place) return;
    const [from, to] = shown.lit;
    editor.setDecorations(this.lit, [new vscode.Range(from, 0, Math.max(from, to - 1), 0)]);
    editor.setDecorations(
      this.heads,
      shown.heads.map((line) => new vscode.Range(line, 0, line, 0)),
    );
  }
}
