export const HELP = `unstuck: notices when a local coding agent is stuck, and shows why.

  unstuck scan <file or folder>… [--agent ID] [--preset eager|balanced|patient] [--set detector.option=value]…
               [--now T] [--fail-on-stuck] [--why]     runs all detectors over existing transcripts as if live
  unstuck watch [folder] [--preset P] [--set …]        states and incidents of a folder's agents as they come
  unstuck discover [folder]                            which agents' transcripts exist for a folder, and why not
  unstuck backtest [file or folder]… [--days N] [--preset P]… [--agent ID] [--set …] [--explain ID]
                                                       the alarms that would have come over existing transcripts
  unstuck check <file>                                 validates a generic transcript (docs/transcript.md)
  unstuck events [--type Recovery] [--session S] [--since T] [--limit N]   the event log of observations and recoveries
  unstuck recall <words>… [--limit N]                  incidents and learnings of the history, the best first
                                                       both: [--folder DIR] or [--store DIR] (docs/command-line.md)
  unstuck inbox send|list|take|withdraw [--folder DIR] --session ID …   the inbox by hand (docs/inbox.md)
  unstuck run --agent NAME [--session ID] [--folder DIR] [--args WORD]… -- <command>…
                                                       runs an agent and obeys stop, restart and escalate from its inbox (docs/supervisor.md)

Each takes --json: one object a line. Secrets are left out; scan, watch, events, recall and inbox take --raw, in a terminal only, to show them.
 Exit code 0: done; 1: check found problems, or scan --fail-on-stuck found stuck agents;
2: wrong usage, or nothing could be read. run ends with the exit code of its command.`;
