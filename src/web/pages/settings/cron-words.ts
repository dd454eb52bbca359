/** Common schedules in words, others as cron expressions. Schedules run in UTC. */
export function cronInWords(cron: string): string {
  const [minute = '', hour = '', ...rest] = cron.split(/\s+/)
  const daily = rest.every(part => part === '*')
  if (!daily) return cron
  if (minute === '*' && hour === '*') return 'every minute'
  const step = /^\*\/(\d+)$/.exec(minute)
  if (step && hour === '*') return `every ${step[1]} minutes`
  if (/^\d+$/.test(minute) && hour === '*')
    return minute === '0' ? 'every hour' : `every hour at minute ${minute}`
  if (/^\d+$/.test(minute) && /^\d+$/.test(hour))
    return `daily at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')} UTC`
  return cron
}
