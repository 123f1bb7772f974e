/**
 * Commands of 0.1.0, by the one that does their work now. They are in no menu and no palette; a person's keyboard shortcuts may still name them.
 * They go with the version after the next.
 */
export const ALIASES: Readonly<Record<string, string>> = {
  showAgents: 'agents.focus',
  goToTerminal: 'goToAgent',
  goToChat: 'goToAgent',
  copySummary: 'share',
  copyCard: 'share',
  exportIncident: 'share',
  reportIncident: 'share',
  exportFixture: 'share',
  filterIncidents: 'searchIncidents',
  muteIncident: 'mute',
  resolveIncident: 'notStuck',
  hideFinished: 'filterAgents',
  hideOtherFolders: 'filterAgents',
};
