import type { AgentPorts } from '../agent-ports';
import type { Connections } from '../connect/connect';
import type { GatesUi } from '../gates/gates';
import type { ControlsOf } from '../controls/controls';
import type { Configuration } from '../settings/configuration';
import type { EvidenceDocuments } from '../transcripts/evidence';
import type { Transcripts } from '../transcripts/transcripts';
import type { IncidentsView } from '../trees/incidents-view';

/** The parts of the editor that carry out what a person asks for in the panel. */
export interface PanelParts {
  readonly configuration: Configuration;
  readonly connections: Connections;
  readonly evidence: EvidenceDocuments;
  readonly gates: GatesUi;
  readonly controls: ControlsOf;
  readonly hookPlace: AgentPorts['hookPlace'];
  readonly incidents: IncidentsView;
  readonly transcripts: Transcripts;
}
