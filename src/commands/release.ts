import { isHeld, release } from '#platform/hold.ts'
import { withContext } from './database.ts'

export async function run(): Promise<void> {
  const said = await withContext(async ctx => {
    if (!(await isHeld(ctx))) return 'Nothing is on hold.'
    const jobs = await release(ctx)
    return `Outgoing work has resumed: ${jobs === 1 ? '1 job was' : `${jobs.toLocaleString('en')} jobs were`} waiting.`
  })
  console.log(said)
}
