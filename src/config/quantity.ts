import { z } from 'zod';

const durationUnitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const sizeUnitsBytes = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
} as const;

interface Bounds {
  /** Whether 0 is taken; the field's description says what it means. */
  zero?: boolean;
  /** Smallest value besides 0, in the same notation. */
  least?: string;
  /** Largest value. Longest timer that Node keeps is 24.8 days. */
  most?: string;
}

/** A time with its unit, as written (`30s`); milliseconds afterwards. */
export function duration(byDefault: string, bounds: Bounds = {}) {
  return quantity(durationUnitsMs, 'a time with its unit, such as 30s, 5m, 1h or 7d', byDefault, bounds);
}

/** A size with its unit, as written (`10MB`); bytes afterwards. KB, MB, GB and TB count by 1000; KiB, MiB, GiB and TiB by 1024. */
export function size(byDefault: string, bounds: Bounds = {}) {
  return quantity(sizeUnitsBytes, 'a size with its unit, such as 10MB or 1GiB', byDefault, bounds);
}

function quantity(
  units: Readonly<Record<string, number>>,
  wanted: string,
  byDefault: string,
  { zero = false, least, most }: Bounds,
) {
  const pattern = new RegExp(`^(\\d{1,12}(?:\\.\\d{1,6})?) ?(${Object.keys(units).join('|')})$`);
  const error = `must be ${wanted}${zero ? ', or 0' : ''}`;
  const amount = (written: string | 0) => {
    const match = written === 0 ? null : pattern.exec(written);
    return match ? Math.round(Number(match[1]) * units[match[2]!]!) : 0;
  };
  const leastAmount = least === undefined ? 1 : amount(least);
  const mostAmount = most === undefined ? Number.MAX_SAFE_INTEGER : amount(most);
  return z
    .union([z.string().regex(pattern, { error }), z.literal(0)], { error })
    .transform(amount)
    .refine((value) => value >= leastAmount || (zero && value === 0), {
      error: zero ? `must be at least ${least ?? '1'}, or 0` : `must be at least ${least ?? '1'}`,
    })
    .refine((value) => value <= mostAmount, { error: `must be at most ${most}` })
    .prefault(byDefault);
}

/** A whole number within bounds; 0 only where `least` is 0, and then the field's description says what it means. */
export function count(byDefault: number, { least = 1, most = 1_000_000_000 } = {}) {
  return z.int().min(least).max(most).default(byDefault);
}
