import { type AgentId, type AgentView, isTested, type VersionRange, versionIn } from '../../core/model';
import { Emitter } from '../../base/util/emitter';
import { notTestedSentence } from '../../core/words';

/** Facts about the versions of agents. */
export interface VersionPort {
  readonly testedOf: (agent: AgentId) => VersionRange | undefined;
  readonly installedOf: (agent: AgentId) => Promise<string | null>;
  readonly isFound: (agent: AgentId) => Promise<boolean | null>;
}

/** Time for which an answer is reused, milliseconds. An agent can be updated without our notice. */
const FRESH_MS = 10 * 60_000;

/** Finds agents of a release that was not tested. The release is read from their transcript, or else from the installed program. */
export class Untested {
  private readonly installed = new Map<AgentId, { readonly at: number; readonly version: string | null }>();
  private readonly changed = new Emitter<void>();
  /** Fires when more is known about what is installed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly versions: VersionPort,
    private readonly nameOf: (agent: AgentId) => string,
    private readonly now: () => number,
  ) {}

  /** Returns one sentence about the agent of this session; null if its release was tested or is not known yet. */
  ofView(view: AgentView): string | null {
    return this.sentence(view.agent, versionIn(view.version) ?? this.installedOf(view.agent));
  }

  /** Returns the version that would be connected if it was not tested: that of the newest session here, otherwise of the installed program. */
  async versionOf(agent: AgentId, views: readonly AgentView[]): Promise<string | null> {
    const newest = [...views].sort((one, other) => other.health.lastEventAt - one.health.lastEventAt);
    const [said] = newest.flatMap(({ version }) => versionIn(version) ?? []);
    const version = said ?? (await this.lookUp(agent));
    return this.sentence(agent, version) === null ? null : version;
  }

  /** Returns the same as one sentence. */
  async sentenceOf(agent: AgentId, views: readonly AgentView[]): Promise<string | null> {
    return this.sentence(agent, await this.versionOf(agent, views));
  }

  /** Returns whether its program is on the PATH; null if that cannot be determined. */
  async isFound(agent: AgentId): Promise<boolean | null> {
    return this.versions.isFound(agent).catch(() => null);
  }

  private sentence(agent: AgentId, version: string | null): string | null {
    const tested = this.versions.testedOf(agent);
    if (version === null || !tested || isTested(version, tested)) return null;
    return notTestedSentence(this.nameOf(agent), version, tested);
  }

  /** Returns the installed version as far as it is known by now. Looks it up in the background. */
  private installedOf(agent: AgentId): string | null {
    if (!this.versions.testedOf(agent)) return null;
    const known = this.installed.get(agent);
    if (!known || this.now() - known.at > FRESH_MS) {
      this.installed.set(agent, { at: this.now(), version: known?.version ?? null });
      void this.lookUp(agent);
    }
    return known?.version ?? null;
  }

  private async lookUp(agent: AgentId): Promise<string | null> {
    const version = await this.versions.installedOf(agent).catch(() => null);
    const before = this.installed.get(agent);
    this.installed.set(agent, { at: this.now(), version });
    if (version !== (before?.version ?? null)) this.changed.fire();
    return version;
  }
}
