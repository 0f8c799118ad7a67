import { z } from 'zod';
import { seriesNameShape } from '../../core/model/event.ts';
import { durationOption } from '../../core/config/time.ts';

const file = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4_096)
    .describe('a table with a header: CSV, also packed (gz, zst, xz, zip), or Parquet'),
  time: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the column with the time of a row; the one named time, timestamp, date … when left out'),
  zone: z
    .string()
    .regex(/^(UTC|[+-]\d{2}:\d{2})$/, 'expected UTC or an offset such as +02:00')
    .optional()
    .describe('the zone of times that name none; without it such times are refused'),
  availableAt: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('the column with the time at which a row was published; its own time when left out'),
  delay: durationOption.optional().describe('a row is known so long after its time, such as 6h'),
  columns: z
    .record(z.string().min(1).max(200), z.string().min(1).max(200))
    .optional()
    .describe('columns by the name that the strategy has for them, such as { value: fng_value }'),
  staleAfter: durationOption
    .optional()
    .describe(
      'so long without a row the series is stale; three times the longest of the last ten gaps when left out',
    ),
});

/** Files of the series that strategies declare, by name: a path, or a path with what the file does not say itself. */
export const seriesFiles = z
  .record(
    z
      .string()
      .regex(
        seriesNameShape,
        'expected a name of 1 to 40 lower case letters, digits and dashes that begins with a letter',
      ),
    z
      .union([
        z
          .string()
          .min(1)
          .transform((path) => file.parse({ path })),
        file,
      ])
      .refine(({ availableAt, delay }) => availableAt === undefined || delay === undefined, {
        path: ['delay'],
        message: 'expected either availableAt or delay, not both',
      }),
  )
  .refine((series) => Object.keys(series).length <= 100, 'expected at most 100 series');
