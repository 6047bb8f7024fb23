const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const CLOCK = '(\\d\\d):(\\d\\d):(\\d\\d)'
const IMF = new RegExp(`^[A-Z][a-z]{2}, (\\d\\d) ([A-Z][a-z]{2}) (\\d{4}) ${CLOCK} GMT$`)
const RFC850 = new RegExp(`^[A-Z][a-z]+day, (\\d\\d)-([A-Z][a-z]{2})-(\\d\\d) ${CLOCK} GMT$`)
const ASCTIME = new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`)

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** Milliseconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are cut off. */
export const formatDate = (moment: number): string => {
  const date = new Date(Math.floor(moment / 1000) * 1000)
  const day = `${pad(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]}`
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map((n) => pad(n))
  return `${DAYS[date.getUTCDay()]}, ${day} ${pad(date.getUTCFullYear(), 4)} ${clock.join(':')} GMT`
}

const assemble = (year: number, month: string, day: string, clock: string[]) => {
  const [hours, minutes, seconds] = clock.map(Number)
  const index = MONTHS.indexOf(month)
  if (index < 0 || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const moment = Date.UTC(year, index, Number(day), hours, minutes, seconds)
  return new Date(moment).getUTCDate() === Number(day) ? moment : undefined
}

/** The year with these last two digits that is not more than fifty years after now. */
const fullYear = (digits: number, now: number): number => {
  const current = new Date(now).getUTCFullYear()
  const year = current - (current % 100) + digits
  return year > current + 50 ? year - 100 : year
}

/**
 * Reads the three forms of HTTP dates, in milliseconds since 1970; undefined for anything
 * else. The name of the weekday is not checked. `now` places years of two digits.
 */
export const parseDate = (text: string, now: number): number | undefined => {
  const imf = IMF.exec(text)
  if (imf !== null) return assemble(Number(imf[3]), imf[2], imf[1], imf.slice(4, 7))
  const old = RFC850.exec(text)
  if (old !== null) return assemble(fullYear(Number(old[3]), now), old[2], old[1], old.slice(4, 7))
  const asctime = ASCTIME.exec(text)
  if (asctime === null) return undefined
  return assemble(Number(asctime[6]), asctime[1], asctime[2], asctime.slice(3, 6))
}
