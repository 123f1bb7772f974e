import type { AgentList } from '../agent-list';
import type { AgentPorts } from '../agent-ports';
import type { Configuration } from '../settings/configuration';
import type { Connections } from '../connect/connect';
import type { FleetParts } from '../fleet/create';
import type { GatesUi } from '../gates/gates';
import type { OverviewPage } from '../panel/overview-page';
import type { Panels } from '../panel/panels';
import type { StatisticsPage } from '../panel/statistics-page';
import type { RulesPage } from '../rules/rules-page';
import type { QuickNudge } from '../nudges/quick-nudge';
import type { ControlsOf } from '../controls/controls';
import type { Checkpoints } from '../recovery/checkpoints';
import type { ReplayCommand } from '../replay/command';
import type { Services } from '../services';
import type { Transcripts } from '../transcripts/transcripts';
import type { AgentsView } from '../trees/agents-view';
import type { IncidentsView } from '../trees/incidents-view';

/** The parts of the editor that the commands use. */
export interface CommandParts {
  readonly services: Services;
  readonly configuration: Configuration;
  readonly list: AgentList;
  readonly agents: AgentsView;
  readonly incidents: IncidentsView;
  readonly overview: Pick<OverviewPage, 'show'>;
  readonly panels: Panels;
  readonly rules: Pick<RulesPage, 'show'>;
  readonly statistics: StatisticsPage;
  readonly nudge: QuickNudge;
  readonly gates: GatesUi;
  readonly controls: ControlsOf;
  readonly checkpoints: Pick<Checkpoints, 'restore'>;
  readonly connections: Connections;
  readonly fleet: Pick<FleetParts, 'connection' | 'credentials'>;
  readonly transcripts: Transcripts;
  readonly replay: ReplayCommand;
  readonly showLog: () => void;
  readonly isTranscript: AgentPorts['isTranscript'];
  readonly fixture: AgentPorts['fixture'];
}
