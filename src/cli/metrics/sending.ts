import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';

/** Time limit of one attempt with its retries, milliseconds. Stopping may take as long. */
export const SENDING_MS = 3_000;

/**
 * Sends metrics by OTLP over HTTP. Headers, certificates and compression come from the standard environment variables (`OTEL_EXPORTER_OTLP_…`). The
 * address does not, so that nothing is ever sent unless an option says so.
 *
 * @param report called once with the reason when sending begins to fail, and with null when it works again
 */
export function senderTo(url: string, report: (problem: string | null) => void): PushMetricExporter {
  const inner: PushMetricExporter = new OTLPMetricExporter({ url, timeoutMillis: SENDING_MS });
  let failing = false;
  return {
    export(metrics, done) {
      inner.export(metrics, (result) => {
        const isFailure = result.error !== undefined;
        if (isFailure !== failing) report(isFailure ? reasonOf(result.error) : null);
        failing = isFailure;
        done(result);
      });
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
    ...(inner.selectAggregationTemporality && {
      selectAggregationTemporality: (type) =>
        (inner.selectAggregationTemporality as NonNullable<typeof inner.selectAggregationTemporality>)(type),
    }),
  };
}

/** Returns a number or a code. The other side's text is not repeated. */
function reasonOf(error: (Error & { readonly code?: unknown; readonly cause?: unknown }) | undefined): string {
  const { code, cause } = error ?? {};
  if (typeof code === 'number') return `it answered ${code}`;
  if (typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code)) return code;
  return cause instanceof Error ? reasonOf(cause) : 'no answer in time';
}
