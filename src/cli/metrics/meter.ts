import { ValueType, type Counter, type Histogram, type MeterProvider, type ObservableResult } from '@opentelemetry/api';
import { type Measurement, METRICS, type MetricName, type MetricReading } from './metrics';

/** Metrics that are computed on demand. */
export type Readings = { readonly [Name in MetricName]?: () => readonly MetricReading[] };

/** Creates an instrument for each metric. Returns the functions that record measurements. */
export function createInstruments(provider: MeterProvider, version: string, readings: Readings) {
  const meter = provider.getMeter('unstuck', version);
  const recorded = new Map<MetricName, Counter | Histogram>();
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const metric = METRICS[name];
    const options = { unit: metric.unit, description: metric.what };
    const read = readings[name];
    const observe = (result: ObservableResult) => {
      for (const { value, labels } of read?.() ?? []) result.observe(value, labels);
    };
    switch (metric.kind) {
      case 'gauge':
        meter.createObservableGauge(name, { ...options, valueType: ValueType.INT }).addCallback(observe);
        break;
      case 'counter':
        if (read) meter.createObservableCounter(name, options).addCallback(observe);
        else recorded.set(name, meter.createCounter(name, { ...options, valueType: ValueType.INT }));
        break;
      case 'histogram':
        recorded.set(
          name,
          meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: [...metric.buckets] } }),
        );
        break;
    }
  }
  return ({ metric, value, labels }: Measurement): void => {
    const instrument = recorded.get(metric);
    if (!instrument) return;
    if ('add' in instrument) instrument.add(value, labels);
    else instrument.record(value, labels);
  };
}
