import * as vscode from 'vscode';
import type { AgentView, Incident } from '../model';
import { signsInLine } from '../util/showable';
import { plain, withCode } from '../words/parts';
import type { AgentNode } from './trees/agents-view';
import type { App } from './app';
import type { IncidentNode } from './trees/incidents-view';
import { treeDescription, treeTitle } from '../words';
import { hintOf, lookOf, sentenceOf } from './words';

/** What a command may be given: a session id, a row of a tree, an incident. */
type Argument = string | AgentNode | IncidentNode | Incident | undefined;

/** Registers the commands of package.json. Each does one thing with the parts of the app. */
export function registerCommands(app: App): vscode.Disposable {
  const { services } = app;
  const commands: Record<string, (argument: Argument) => unknown> = {
    showAgents: () => vscode.commands.executeCommand('unstuck.agents.focus'),
    showNextStuck: () => showNextStuck(app),
    showEvidence: (argument) => showEvidence(app, argument),
    nudge: async (argument) => {
      const view = await pickAgent(app, argument, 'Nudge which agent?');
      if (view) await app.nudgeNow(view);
    },
    mute: async (argument) => {
      const view = await pickAgent(app, argument, 'Mute which agent?');
      if (view) await mute(app, view);
    },
    unmute: async (argument) => {
      const view = await pickAgent(app, argument, 'Unmute which agent?');
      for (const incident of view?.incidents ?? [])
        services.engine.changeIncident(incident.id, { type: 'unmute', at: services.now() });
    },
    connect: (argument) => app.connections.connect(typeof argument === 'string' ? argument : undefined),
    disconnect: (argument) => app.connections.disconnect(typeof argument === 'string' ? argument : undefined),
    runGates: async (argument) => {
      const session = sessionOf(argument) ?? app.panels.current();
      await app.gates.run(session === undefined ? undefined : services.engine.agent(session));
    },
    sendGates: async (argument) => {
      const view = await pickAgent(app, argument, 'Send the failures to which agent?');
      if (view) await app.gates.send(view);
    },
    cancelGates: async (argument) => {
      const view = await pickAgent(app, argument, 'Cancel the quality gates of which agent?');
      if (view) app.gates.cancel(view);
    },
    forgetGates: () => app.gates.forget(),
    restart: async (argument) => {
      const view = await pickAgent(app, argument, 'Restart which agent?');
      if (view) await app.recovery.chooseRestart(view);
    },
    stop: async (argument) => {
      const view = await pickAgent(app, argument, 'Stop which agent?');
      if (view) await app.recovery.stop(view);
    },
    saveCheckpoint: async (argument) => {
      const view = await pickAgent(app, argument, 'Save the work in progress of which agent?');
      if (view) await app.recovery.saveCheckpoint(view);
    },
    restoreCheckpoint: async (argument) => {
      const cwd = await pickFolder(app, argument);
      if (cwd !== undefined) await app.recovery.checkpoints.restore(cwd);
    },
    openTranscript: (argument) => openTranscript(app, argument),
    copySummary: async (argument) => {
      const view = await pickAgent(app, argument, 'Copy the summary of which agent?');
      if (view) await vscode.env.clipboard.writeText(summaryOf(view, services.now()));
    },
    searchIncidents: () => searchIncidents(app),
    filterIncidents: () => filterIncidents(app),
    clearIncidentFilter: () => app.narrowIncidents({ text: '' }),
    exportIncident: (argument) => exportIncident(app, argument),
    deleteIncident: (argument) => deleteIncident(app, argument),
    showFinished: () => app.showFinished(true),
    hideFinished: () => app.showFinished(false),
    showMoreAgents: () => app.agents.showMore(),
    showOtherFolders: () => app.showOtherFolders(true),
    hideOtherFolders: () => app.showOtherFolders(false),
    addTranscriptPath: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.transcripts.include'),
    pause: () => app.pause(true),
    resume: () => app.pause(false),
    replay: async () => {
      await vscode.commands.executeCommand('unstuck.agents.focus');
      await app.replay.start();
    },
    stopReplay: () => app.replay.stop(),
    showLog: () => app.showLog(),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`unstuck.${name}`, async (argument: Argument) => {
      try {
        await run(argument);
      } catch (error) {
        services.log.error(
          `unstuck.${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
        void vscode.window.showErrorMessage(
          `Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** What a command is about, in one line for the clipboard and for pick lists. */
export function summaryOf(view: AgentView, now: number): string {
  const lines = [`${signsInLine(view.title)} (${view.agentName})`, sentenceOf(view, now, null)];
  for (const incident of view.incidents) {
    lines.push(
      `- ${plain(withCode(signsInLine(incident.why)))} Lines ${incident.firstLine} to ${incident.evidence.at(-1)?.source.line ?? incident.alertLine}.`,
    );
  }
  lines.push(view.file);
  return lines.join('\n');
}

function sessionOf(argument: Argument): string | undefined {
  if (argument === undefined) return undefined;
  if (typeof argument === 'string') return argument;
  if ('session' in argument) return argument.session;
  if (argument.kind === 'incident') return argument.incident.session;
  return 'view' in argument ? argument.view.session : undefined;
}

function incidentOf(argument: Argument): Incident | undefined {
  if (argument === undefined || typeof argument === 'string') return undefined;
  if ('session' in argument) return argument;
  return argument.kind === 'incident' ? argument.incident : undefined;
}

async function pickAgent(app: App, argument: Argument, placeHolder: string): Promise<AgentView | undefined> {
  const session = sessionOf(argument) ?? app.panels.current();
  const known = session === undefined ? undefined : app.services.engine.agent(session);
  if (known) return known;
  const views = app.views();
  if (views.length <= 1) {
    if (views.length === 0) void vscode.window.showInformationMessage('No agent is watched here yet.');
    return views[0];
  }
  const now = app.services.now();
  const items = views.map((view) => {
    const description = treeDescription(view.state, view.agentName, now, hintOf(view, now));
    return { label: `$(${lookOf(view, now).icon}) ${treeTitle(signsInLine(view.title))}`, description, view };
  });
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.view;
}

/** Where an agent works, or an open folder. */
async function pickFolder(app: App, argument: Argument): Promise<string | undefined> {
  const session = sessionOf(argument) ?? app.panels.current();
  const cwd = session === undefined ? undefined : app.services.engine.agent(session)?.cwd;
  if (cwd !== undefined) return cwd;
  const folders = app.services.folders();
  return folders.length <= 1 ? folders[0] : vscode.window.showQuickPick([...folders], { placeHolder: 'Which folder?' });
}

async function showEvidence(app: App, argument: Argument): Promise<void> {
  const incident = incidentOf(argument);
  const session = sessionOf(argument);
  if (session !== undefined && app.services.engine.agent(session)) app.panels.show(session);
  else if (incident) app.panels.showIncident(incident);
  else {
    const view = await pickAgent(app, argument, 'Show which agent?');
    if (view) app.panels.show(view.session);
  }
}

function showNextStuck(app: App): void {
  const stuck = app.views().filter((view) => view.state.kind === 'stuck' || view.state.kind === 'escalated');
  const current = stuck.findIndex((view) => view.session === app.panels.current());
  const next = stuck[(current + 1) % Math.max(1, stuck.length)];
  if (next) app.panels.show(next.session);
  else void vscode.window.showInformationMessage('No agent is stuck.');
}

async function mute(app: App, view: AgentView): Promise<void> {
  const { engine, now } = app.services;
  const hour = 3_600_000;
  const items = [
    ...view.incidents.map((incident) => ({
      label: 'Mute This Incident',
      description: signsInLine(incident.subject),
      run: () => void engine.changeIncident(incident.id, { type: 'mute', at: now() }),
    })),
    {
      label: 'Mute Agent for 1 Hour',
      description: treeTitle(signsInLine(view.title)),
      run: () => app.muteAgent(view.session, now() + hour),
    },
    ...view.incidents.slice(0, 1).map((incident) => ({
      label: 'Turn Off Rule for This Agent',
      description: `${incident.detector} for ${view.agentName}, in the settings`,
      run: () => app.turnOffRule(view.agent, incident.detector),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: `Mute ${treeTitle(signsInLine(view.title))}`,
  });
  if (picked) await Promise.resolve(picked.run());
}

async function openTranscript(app: App, argument: Argument): Promise<void> {
  const incident = incidentOf(argument);
  const last = incident?.evidence.at(-1);
  if (last) {
    await app.transcripts.show(last.source, incident?.session ?? '');
    return;
  }
  const view = await pickAgent(app, argument, 'Open the transcript of which agent?');
  if (view)
    await app.transcripts.show(
      {
        file: view.file,
        line: Math.max(1, app.services.engine.session(view.session)?.facts.lastLine ?? 1),
        offset: 0,
      },
      view.session,
    );
}

async function searchIncidents(app: App): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Search Incidents',
    placeHolder: 'Words of the call, the title, the explanation',
    value: app.incidents.narrowing.text,
  });
  if (text !== undefined) app.narrowIncidents({ ...app.incidents.narrowing, text: text.trim() });
}

async function filterIncidents(app: App): Promise<void> {
  const { agentNames } = app.services;
  const items = [
    { label: 'All Incidents', state: undefined, agent: undefined },
    { label: 'Active', state: 'active' as const, agent: undefined },
    { label: 'Recovered', state: 'recovered' as const, agent: undefined },
    { label: 'Muted, Ended and Unknown', state: 'other' as const, agent: undefined },
    ...[...agentNames].map(([agent, name]) => ({ label: name, state: undefined, agent })),
  ];
  const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Show which incidents?' });
  if (!picked) return;
  const { text } = app.incidents.narrowing;
  app.narrowIncidents({
    text,
    ...(picked.state && { state: picked.state }),
    ...(picked.agent && { agent: picked.agent }),
  });
}

async function pickIncident(app: App, argument: Argument, placeHolder: string): Promise<Incident | undefined> {
  const given = incidentOf(argument);
  if (given) return given;
  const items = (await app.services.store.incidents({ limit: 200 })).map((incident) => ({
    label: signsInLine(incident.subject),
    description: `${incident.detector}, ${incident.state}`,
    detail: signsInLine(incident.title),
    incident,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.incident;
}

async function exportIncident(app: App, argument: Argument): Promise<void> {
  const incident = await pickIncident(app, argument, 'Export which incident?');
  if (!incident) return;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Incident',
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: 'Export',
    ...(vscode.workspace.workspaceFolders?.[0] && {
      defaultUri: vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, `incident-${incident.id}.md`),
    }),
  });
  if (!target) return;
  const text = await app.services.store.exportIncident(
    incident.id,
    target.path.endsWith('.json') ? 'json' : 'markdown',
  );
  if (text === undefined) {
    void vscode.window.showWarningMessage('This incident is no longer in the history.');
    return;
  }
  await vscode.workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  await vscode.window.showTextDocument(target);
}

async function deleteIncident(app: App, argument: Argument): Promise<void> {
  const incident = incidentOf(argument);
  if (!incident) return;
  const detail = 'It is removed from the history of all windows. The transcript stays.';
  const yes = await vscode.window.showWarningMessage('Delete this incident?', { modal: true, detail }, 'Delete');
  if (yes === 'Delete') await app.services.store.remove(incident.id);
}
