import * as vscode from 'vscode';
import { presentable } from '../../util/redact';
import { summaryOf } from '../status/summary';
import { deleteIncident, exportIncident, filterIncidents, searchIncidents } from './incidents';
import { mute } from './mute';
import { sayNotStuck, undoNotStuck } from './not-stuck';
import type { CommandParts } from './parts';
import { showRules } from './rules';
import { type Argument, pickAgent, pickFolder, sessionOf } from './pick';
import { openTranscript, showEvidence, showNextStuck } from './show';

/** Registers the commands of package.json. Each does one thing with one of the parts. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { services, configuration, list } = parts;
  const commands: Record<string, (argument: Argument) => unknown> = {
    showAgents: () => vscode.commands.executeCommand('unstuck.agents.focus'),
    showNextStuck: () => showNextStuck(parts),
    showEvidence: (argument) => showEvidence(parts, argument),
    nudge: async (argument) => {
      const view = await pickAgent(parts, argument, 'Nudge which agent?');
      if (view) await parts.nudge.send(view);
    },
    mute: async (argument) => {
      const view = await pickAgent(parts, argument, 'Mute which agent?');
      if (view) await mute(parts, view);
    },
    unmute: async (argument) => {
      const view = await pickAgent(parts, argument, 'Unmute which agent?');
      for (const incident of view?.incidents ?? [])
        services.engine.changeIncident(incident.id, { type: 'unmute', at: services.now() });
    },
    notStuck: (argument) => sayNotStuck(parts, argument),
    undoNotStuck: () => undoNotStuck(parts),
    showRules: (argument) => showRules(parts, argument),
    connect: (argument) => parts.connections.connect(typeof argument === 'string' ? argument : undefined),
    disconnect: (argument) => parts.connections.disconnect(typeof argument === 'string' ? argument : undefined),
    runGates: async (argument) => {
      const session = sessionOf(argument) ?? parts.panels.current();
      await parts.gates.run(session === undefined ? undefined : services.engine.agent(session));
    },
    sendGates: async (argument) => {
      const view = await pickAgent(parts, argument, 'Send the failures to which agent?');
      if (view) await parts.gates.send(view);
    },
    cancelGates: async (argument) => {
      const view = await pickAgent(parts, argument, 'Cancel the quality gates of which agent?');
      if (view) parts.gates.cancel(view);
    },
    forgetGates: () => parts.gates.forget(),
    restart: async (argument) => {
      const view = await pickAgent(parts, argument, 'Restart which agent?');
      if (view) await parts.recovery.chooseRestart(view);
    },
    stop: async (argument) => {
      const view = await pickAgent(parts, argument, 'Stop which agent?');
      if (view) await parts.recovery.stop(view);
    },
    saveCheckpoint: async (argument) => {
      const view = await pickAgent(parts, argument, 'Save the work in progress of which agent?');
      if (view) await parts.recovery.saveCheckpoint(view);
    },
    restoreCheckpoint: async (argument) => {
      const cwd = await pickFolder(parts, argument);
      if (cwd !== undefined) await parts.recovery.checkpoints.restore(cwd);
    },
    openTranscript: (argument) => openTranscript(parts, argument),
    copySummary: async (argument) => {
      const view = await pickAgent(parts, argument, 'Copy the summary of which agent?');
      if (view) await vscode.env.clipboard.writeText(presentable(summaryOf(view, services.now())));
    },
    searchIncidents: () => searchIncidents(parts),
    filterIncidents: () => filterIncidents(parts),
    clearIncidentFilter: () => parts.incidents.narrow({ text: '' }),
    exportIncident: (argument) => exportIncident(parts, argument),
    deleteIncident: (argument) => deleteIncident(parts, argument),
    showFinished: () => list.showFinished(true),
    hideFinished: () => list.showFinished(false),
    showMoreAgents: () => parts.agents.showMore(),
    showOtherFolders: () => list.showOtherFolders(true),
    hideOtherFolders: () => list.showOtherFolders(false),
    addTranscriptPath: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', 'unstuck.transcripts.include'),
    pause: () => configuration.pause(true),
    resume: () => configuration.pause(false),
    replay: async () => {
      await vscode.commands.executeCommand('unstuck.agents.focus');
      await parts.replay.start();
    },
    stopReplay: () => parts.replay.stop(),
    showLog: () => parts.showLog(),
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
