/**
 * Maps each command of 0.1.0 to the one that does its work now. The old commands are in no menu and no palette, but a person's keyboard shortcuts may
 * still name them. They will be removed in the version after the next.
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
