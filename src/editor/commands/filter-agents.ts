import type { AgentList } from '../agent-list';
import { pickSome } from '../voice';

/** *Filter Agents…*: chooses which agents the lists show in addition to those that run in the folders of this window. */
export async function filterAgents(list: AgentList): Promise<void> {
  const { finished, others } = list.shown;
  const rows = [
    { label: 'Finished Agents', picked: finished, show: (on: boolean) => list.showFinished(on) },
    { label: 'Agents in Other Folders', picked: others, show: (on: boolean) => list.showOtherFolders(on) },
  ];
  const ticked = await pickSome(rows, { placeHolder: 'Also show' });
  if (ticked) for (const row of rows) row.show(ticked.includes(row));
}
