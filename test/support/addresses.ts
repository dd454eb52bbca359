import type { Endpoint } from '#platform/contract.ts'
import type { Records } from './records.ts'

/** An address of every endpoint, pages included: the form and the bookings are this team's, a token is nobody's. */
export async function addressesOf({ person }: Records): Promise<(endpoint: Endpoint) => string> {
  const forms = await person.browser.get('/api/crm/forms')
  const { id, slug } = forms.body.data[0] as { id: string; slug: string }
  const availability = await person.browser.get('/api/meetings/availability')
  return ({ path }) =>
    path
      .replace('/f/:slug', `/f/${slug}`)
      .replace('/book/:slug', `/book/${availability.body.slug}`)
      .replace(':token', 'a'.repeat(43))
      .replace(':provider', 'google')
      .replace(':file', 'page.css')
      .replace(/:\w+/g, id)
}
