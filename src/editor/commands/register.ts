import * as vscode from 'vscode';
import { addTranscriptPath } from './add-transcript-path';
import { openDocumentation } from './documentation';
import { ALIASES } from './aliases';
import { filterAgents } from './filter-agents';
import { deleteIncidents, showIncident } from './incidents';
import { copyLearning, deleteLearning, editLearning, pinLearning } from './learnings';
import { mute, unmute } from './mute';
import { sayNotStuck, undoNotStuck } from './not-stuck';
import { continueAll } from '../nudges/continue-all';
import { openMachineSetting } from '../settings/open';
import type { CommandParts } from './parts';
import { searchIncidents } from './search-incidents';
import { share } from './share';
import { type Argument, isRow, pickAgent, pickFolder, isElsewhere, pickHere, sessionOf } from './pick';
import { openTranscript, showEvidence, showNextNeedingMe } from './show';
import { NOTHING_NARROWED } from '../trees/incident-groups';
import type { IncidentNode } from '../trees/incidents-view';
import { askFirst, inform, showError } from '../voice';

/** Time after rows moved during which a click on a row is confirmed, milliseconds. */
const JUST_MOVED_MS = 1_000;

/** Registers the commands of package.json, those that only rows and links call, and the former names of both. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { services, configuration, list } = parts;
  const nudge = async (argument: Argument) => {
    // The rows have just moved, and a tree does not know where the pointer is: this may not be the intended agent.
    const isMoved = isRow(argument) && services.now() - parts.agents.movedAt < JUST_MOVED_MS;
    const view = await pickAgent(parts, argument, 'Nudge which agent?');
    if (!view) return;
    const question = { message: `Nudge “${view.title}”?`, detail: 'The list has just changed its order.' };
    if (isMoved && (await askFirst(question, 'Nudge')) !== 'Nudge') return;
    await parts.nudge.send(view);
  };
  const commands: Record<string, (argument: Argument, selected?: readonly IncidentNode[]) => unknown> = {
    showOverview: () => parts.overview.show(),
    showStatistics: () => parts.statistics.show(),
    showNextNeedingMe: () => showNextNeedingMe(parts),
    showEvidence: (argument) => showEvidence(parts, argument),
    nudge: (argument) => nudge(argument),
    continue: (argument) => nudge(argument),
    continueAll: async () => {
      const said = await continueAll(list.views(), parts.controls, services.now());
      if (said !== '') void inform(said);
    },
    mute: async (argument) => {
      const view = await pickAgent(parts, argument, 'Mute which agent?');
      if (view) await mute(parts, view);
    },
    unmute: async (argument) => {
      const view = await pickHere(parts, argument, 'Unmute which agent?');
      if (view) unmute(parts, view);
    },
    notStuck: (argument) => sayNotStuck(parts, argument),
    undoNotStuck: (argument) => undoNotStuck(parts, argument),
    showRules: async (argument) => {
      const view = await pickHere(parts, argument, 'Show the rules of which agent?');
      if (view) parts.rules.show(view.session);
    },
    connect: (argument) => parts.connections.connect(typeof argument === 'string' ? { agent: argument } : undefined),
    connectAll: () => parts.connections.connectAll(),
    disconnect: (argument) => parts.connections.disconnect(typeof argument === 'string' ? argument : undefined),
    runGates: async (argument) => {
      const session = sessionOf(argument) ?? parts.panels.current();
      const view = session === undefined ? undefined : services.agents.agent(session);
      if (!isElsewhere(view)) await parts.gates.run(view);
    },
    sendGates: async (argument) => {
      const view = await pickHere(parts, argument, 'Send the failures to which agent?');
      if (view) await parts.gates.send(view);
    },
    cancelGates: async (argument) => {
      const view = await pickHere(parts, argument, 'Cancel the quality gates of which agent?');
      if (view) parts.gates.cancel(view);
    },
    forgetGates: () => parts.gates.forget(),
    restart: async (argument) => {
      const view = await pickAgent(parts, argument, 'Recover which agent?');
      if (view) await parts.controls(view).recovery.chooseRestart(view);
    },
    goToAgent: async (argument) => {
      const view = await pickHere(parts, argument, 'Go to which agent?');
      if (view) await parts.controls(view).recovery.goTo(view);
    },
    copyRestartCommand: async (argument) => {
      const view = await pickHere(parts, argument, 'Copy the command for restarting which agent?');
      if (view) await parts.controls(view).recovery.copyRestartCommand(view);
    },
    stop: async (argument) => {
      const view = await pickAgent(parts, argument, 'Stop which agent?');
      if (view) await parts.controls(view).recovery.stop(view);
    },
    saveCheckpoint: async (argument) => {
      const view = await pickHere(parts, argument, 'Save the work of which agent?');
      if (view) await parts.controls(view).recovery.saveCheckpoint(view);
    },
    restoreCheckpoint: async (argument) => {
      const cwd = await pickFolder(parts, argument);
      if (cwd !== undefined) await parts.checkpoints.restore(cwd);
    },
    openTranscript: (argument) => openTranscript(parts, argument),
    share: (argument, selected) => share(parts, argument, selected),
    searchIncidents: () => searchIncidents(parts),
    clearIncidentFilter: () => parts.incidents.narrow(NOTHING_NARROWED),
    showIncident: (argument) => showIncident(parts, argument),
    deleteIncident: (argument, selected) => deleteIncidents(parts, argument, selected),
    editLearning: (argument) => editLearning(parts, argument),
    pinLearning: (argument) => pinLearning(parts, argument, true),
    unpinLearning: (argument) => pinLearning(parts, argument, false),
    deleteLearning: (argument) => deleteLearning(parts, argument),
    copyLearning: (argument) => copyLearning(argument),
    filterAgents: () => filterAgents(list),
    showFinished: () => list.showFinished(true),
    showOtherFolders: () => list.showOtherFolders(true),
    showMoreAgents: () => parts.agents.showMore(),
    setFleetCredentials: () => parts.fleet.credentials.set(),
    forgetFleetCredentials: () => parts.fleet.credentials.forget(),
    openFleetSettings: () => openMachineSetting('unstuck.fleet.servers'),
    addTranscriptPath: () => addTranscriptPath(parts),
    pause: () => configuration.pause(true),
    resume: () => configuration.pause(false),
    replay: async () => {
      await vscode.commands.executeCommand('unstuck.agents.focus');
      await parts.replay.start();
    },
    stopReplay: () => parts.replay.stop(),
    openDocumentation: () => openDocumentation(services.context.extensionUri),
    showLog: () => parts.showLog(),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`unstuck.${name}`, async (argument: Argument, selected: unknown) => {
      try {
        // If several rows of a tree are selected, its menu passes all of them.
        await run(argument, Array.isArray(selected) ? (selected as readonly IncidentNode[]) : undefined);
      } catch (error) {
        services.log.error(
          `unstuck.${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
        void showError(`Unstuck could not do that: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  const former = Object.entries(ALIASES).map(([name, now]) =>
    vscode.commands.registerCommand(`unstuck.${name}`, (...all: unknown[]) =>
      vscode.commands.executeCommand(`unstuck.${now}`, ...all),
    ),
  );
  return vscode.Disposable.from(...registered, ...former);
}
