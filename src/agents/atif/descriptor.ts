import type { AgentDescriptor } from '../descriptor';

export const atifDescriptor: AgentDescriptor = {
  id: 'atif',
  name: 'ATIF',
  fullName: 'ATIF 1.x',
  summaryName: 'ATIF trajectories',
  testedWith: "read in the viewer's form, schema 1.6 by its documentation",
  transcripts: "`trajectory.json` and a viewer's form of it",
  shows: {
    runningTool: 'no',
    turnEnd: 'at the end of the run',
  },
  summary: {
    read: 'yes',
  },
};
