import * as vscode from 'vscode';
import { presentable } from '../../base/util/redact';
import { type AgentView, type Incident, type Source, repeatsIn } from '../../core/model';
import { onlyThere } from '../../core/words';
import type { SendResult } from '../controls/controls';
import type { PanelIntent } from '../panel-model/intents';
import { DESCRIBED_STEPS, type HostMessage } from '../panel-model/messages';
import { showable } from '../panel-model/showable';
import type { TimelineMode } from '../panel-model/timeline';
import type { Services } from '../services';
import { showCounted } from '../transcripts/counted';
import { showSkipped } from '../transcripts/counted';
import { inform, warn } from '../voice';
import type { PanelParts } from './parts';
import { subjectsOf } from './snapshot';
import type { Subject } from './subject';

/** The tab that shows the page. */
export interface Tab {
  post(message: HostMessage): void;
  /** Sends a snapshot. */
  send(): void;
  showIncident(id: string): void;
  keepMode(mode: TimelineMode): Promise<void>;
}

/** The agent and incident that an intent is about, and the parts that carry it out. */
export interface Scene extends Subject {
  readonly services: Services;
  readonly parts: PanelParts;
  readonly tab: Tab;
}

/** An intent of a page that shows an agent. */
export type AgentIntent = Exclude<PanelIntent, { readonly type: 'ready' }>;
type Type = AgentIntent['type'];
type IntentOf<T extends Type> = Extract<AgentIntent, { readonly type: T }>;
type Run<T extends Type> = (scene: Scene, intent: IntentOf<T>) => unknown;

interface Handler<T extends Type> {
  /** `here` means that the intent needs the files of the agent, or facts that only the agent's own machine has. */
  readonly where: 'here' | 'anywhere';
  readonly run: Run<T>;
}

const here = <T extends Type>(run: Run<T>): Handler<T> => ({ where: 'here', run });
const anywhere = <T extends Type>(run: Run<T>): Handler<T> => ({ where: 'anywhere', run });

/** Shown if no hook is found: an agent need not be sent back by a hook, and the hook need not be in its settings. */
const NO_HOOK = 'The settings of this agent contain no hook that sends it back.';

const command = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(name, ...args);

const HANDLERS: { readonly [T in Type]: Handler<T> } = {
  openLine: here((scene, place) => openPlace(scene, place)),
  openStep: here((scene, { step }) => {
    const { view, services } = scene;
    const timeline = services.agents.timeline(view.session);
    if (!timeline || step >= timeline.length) return undefined;
    return openPlace(scene, { file: view.file, line: timeline.line(step), offset: timeline.offset(step) });
  }),
  openAll: here((scene) => {
    const rows = repeatsIn(gravest(scene)?.evidence ?? []);
    return scene.parts.transcripts.showAll(
      rows.map(({ source }) => source),
      scene.view.session,
    );
  }),
  goTo: here(({ view }) => command('unstuck.goToAgent', view.session)),
  openHook: here(async ({ view, incident, parts }) => {
    const place = incident && parts.hookPlace(view, incident.subject);
    if (!place) return inform(NO_HOOK);
    const selection = new vscode.Range(place.line - 1, 0, place.line - 1, 0);
    return vscode.window.showTextDocument(vscode.Uri.file(place.file), { selection });
  }),
  openTranscript: here(({ view }) => command('unstuck.openTranscript', view.session)),
  copySample: here((scene, { which }) => {
    const incident = gravest(scene);
    const sample = which === 'first' ? incident?.firstSample : incident?.lastSample;
    return sample && vscode.env.clipboard.writeText(presentable(sample.text));
  }),
  compareSamples: here(({ past, incident, parts }) => {
    const compared = past ?? incident;
    return compared && parts.evidence.compare(compared);
  }),
  showCounted: here(({ services, parts, view }, counted) => showCounted(services, parts.evidence, view, counted)),
  showSkipped: here(({ view }) => showSkipped(view)),

  sendNudge: anywhere(async ({ view, parts, tab }, { text, incident: id }) => {
    const incident = view.incidents.find((one) => one.id === id);
    warnOf(await parts.controls(view).messages.send(view, text, incident));
    tab.send();
  }),
  sendAgain: anywhere(async ({ view, parts }, { id }) => {
    const delivery = view.deliveries.find(({ message }) => message.id === id);
    if (delivery) warnOf(await parts.controls(view).messages.sendAgain(view, delivery));
  }),
  withdraw: here(async ({ view, parts }, { id }) => {
    const trouble = await parts.controls(view).messages.withdraw(view, id);
    if (trouble) void inform(trouble);
  }),
  connect: here(({ view, parts }) => parts.connections.connect(view)),

  recover: anywhere(({ view, incident, parts }, { action }) =>
    parts.controls(view).recovery.act(view, incident, action),
  ),
  restart: here(({ view }) => command('unstuck.restart', view.session)),
  hold: here(({ view, incident, parts }, { on }) => parts.controls(view).recovery.hold(view, incident, on)),
  saveCheckpoint: here(({ view, parts }) => parts.controls(view).recovery.saveCheckpoint(view)),
  resume: anywhere(({ parts }) => parts.configuration.pause(false)),
  mute: anywhere(({ view }) => command('unstuck.mute', view.session)),
  notStuck: here(({ view, incident }) => command('unstuck.notStuck', incident ?? view.session)),

  runGates: here(({ view, parts }) => parts.gates.run(view)),
  cancelGates: here(({ view, parts }) => parts.gates.cancel(view)),
  sendGates: here(({ view, parts }) => parts.gates.send(view)),
  openFailure: here(({ view, parts }, { gate, failure }) => parts.gates.openFailure(view, gate, failure)),

  showSimilar: anywhere(({ incident, parts }) => incident && parts.incidents.showSimilar(incident)),
  // Incidents of another machine are in that machine's history.
  share: anywhere(({ view, incident }) => command('unstuck.share', (!view.machine && incident) || view.session)),
  showRules: here(({ view }) => command('unstuck.showRules', view.session)),
  manageTrust: anywhere(() => command('workbench.trust.manage')),
  nextNeedingMe: anywhere(() => command('unstuck.showNextNeedingMe')),

  showIncident: anywhere(({ tab }, { id }) => tab.showIncident(id)),
  timelineMode: anywhere(({ tab }, { mode }) => tab.keepMode(mode)),
  describeSteps: anywhere(({ view, services, tab }, { from, to }) => {
    const timeline = services.agents.timeline(view.session);
    if (!timeline) return;
    const subjects = subjectsOf(timeline, from, Math.min(to, from + DESCRIBED_STEPS));
    tab.post({ type: 'subjects', subjects: showable(subjects) });
  }),
};

/** Carries out an intent. Every intent passes through here, so a page cannot reach the files of an agent on another machine. */
export async function carryOut<T extends Type>(
  scene: Scene,
  intent: IntentOf<T> & { readonly type: T },
): Promise<void> {
  const { where, run } = HANDLERS[intent.type];
  const { machine } = scene.view;
  if (machine && where === 'here') void inform(onlyThere(machine.name));
  else await run(scene, intent);
}

function gravest({ past, view }: { readonly past?: Incident; readonly view: AgentView }): Incident | undefined {
  return past ?? view.incidents[0];
}

/** Opens the transcript of the shown agent. A page may name no other file. */
async function openPlace({ view, services, parts }: Scene, place: Source): Promise<void> {
  if (place.file !== view.file) services.log.warn('the panel requested a file other than its transcript');
  else await parts.evidence.show(place, view.session);
}

function warnOf(result: SendResult): void {
  if ('message' in result) void warn(result.message);
}
