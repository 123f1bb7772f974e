import type * as z from 'zod/mini';
import { texts } from './fields';

/**
 * Returns the part of a value that may leave this machine: the fields that the schema knows, each text redacted and cut to its limit. Lists keep
 * their length. An optional text of which nothing is left is absent.
 */
export function outgoing<T extends z.core.$ZodType>(schema: T, value: unknown): z.infer<T> {
  return presented(schema, value) as z.infer<T>;
}

function presented(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectOf(def.shape, value as Readonly<Record<string, unknown>>);
    case 'array':
      return (value as readonly unknown[]).map((item) => presented(def.element, item));
    case 'record':
      return Object.fromEntries(
        Object.entries(value as object).map(([name, item]) => [
          presented(def.keyType, name),
          presented(def.valueType, item),
        ]),
      );
    case 'optional':
      return presented(def.innerType, value);
    case 'nullable':
      return value === null ? null : presented(def.innerType, value);
    default:
      return texts.get(schema)?.present(value as string) ?? value;
  }
}

function objectOf(shape: z.core.$ZodShape, value: Readonly<Record<string, unknown>>): object {
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (value[name] === undefined) continue;
    const sent = presented(field, value[name]);
    if (sent !== '' || field._zod.def.type !== 'optional') copy[name] = sent;
  }
  return copy;
}
