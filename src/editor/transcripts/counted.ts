import type { AgentView, CountedThing } from '../../core/model';
import { counted, whole } from '../../base/util/counts';
import { presentable } from '../../base/util/redact';
import { clockSeconds, countedList, cutWords, nothingListed } from '../../core/words';
import type { EvidenceDocuments } from './evidence';
import type { Services } from '../services';
import { inform, pickOne } from '../voice';
import * as vscode from 'vscode';

/** Maximum length of a call in a list, characters. */
const TEXT_LENGTH = 100;

/** Lists what a number in loop health counts, and opens the picked entry in readable form. */
export async function showCounted(
  { engine }: Pick<Services, 'engine'>,
  evidence: Pick<EvidenceDocuments, 'show'>,
  view: Pick<AgentView, 'session' | 'file' | 'plan'>,
  { thing, name }: { readonly thing: CountedThing; readonly name?: string },
): Promise<void> {
  const session = engine.session(view.session);
  if (!session) return;
  const { timeline } = session;
  const places = session.health.counted(thing, { timeline, file: view.file, ...(name !== undefined && { name }) });
  if (places.length === 0) return void inform(nothingListed());
  const shown = thing === 'blocked' ? (view.plan.find(({ id }) => id === name)?.title ?? name) : name;
  const items = places.map(({ at, source, text, failed }) => ({
    label: cutWords(presentable(text), TEXT_LENGTH),
    ...(failed && thing !== 'failures' && { icon: 'error' }),
    description: [clockSeconds(at), source.line > 0 && `line ${whole(source.line)}`].filter(Boolean).join(', '),
    source,
  }));
  const placeHolder = countedList(thing, places.length, shown && presentable(shown));
  const picked = await pickOne(items, { placeHolder, matchOnDescription: true });
  if (picked) await evidence.show(picked.source, view.session);
}

/** Shows the lines of a transcript that were skipped, and why, as a read-only document. */
export async function showSkipped({ coverage, file }: AgentView): Promise<void> {
  const lines = coverage.problems.map((problem) => `line ${problem.line}: ${problem.why}`);
  const content = [`${file}: ${counted(coverage.skipped, 'line was', 'lines were')} skipped.`, '', ...lines].join('\n');
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
}
