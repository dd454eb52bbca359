import { ById, defineEndpoints, Id, nullable, t } from '#platform/contract.ts'

/** Whatever it is: an address that leads to no form is answered with a page. */
const BySlug = t.Object({ slug: t.String() })

/** What strangers call: the hosted page, and the way for programs and other sites. */
export const publicEndpoints = defineEndpoints({
  submitForm: {
    method: 'POST',
    path: '/api/forms/:id/submissions',
    summary: 'Fill in a published form: {<key>: <answer>, …} as JSON or as a form; utm_… beside them',
    auth: 'open',
    params: ById,
    form: 'or_json',
    repeats: true,
    unchecked: true,
    protocol: 'public form',
    body: t.Record(t.String(), t.Unknown()),
    output: t.Object({
      id: Id,
      message: nullable(t.String({ description: 'What to thank with' })),
      redirect_url: nullable(t.String({ description: 'Where to go instead' })),
    }),
    status: 201,
    location: '/api/crm/submissions/{id}',
    besides: {
      303: {
        description: 'Sent as a form by a browser: to the page that says thanks, or where the form leads',
      },
      422: { description: 'What is wrong, for a browser as a page', media: 'text/html' },
    },
  },
  showForm: {
    method: 'GET',
    path: '/f/:slug',
    summary: 'The hosted page',
    auth: 'open',
    params: BySlug,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  sendForm: {
    method: 'POST',
    path: '/f/:slug',
    summary: 'The hosted page, sent without a script',
    auth: 'open',
    params: BySlug,
    form: true,
    repeats: true,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  showThanks: {
    method: 'GET',
    path: '/f/:slug/thanks',
    summary: 'What is shown after it was sent',
    auth: 'open',
    params: BySlug,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  readFormAsset: {
    method: 'GET',
    path: '/f/assets/:file',
    summary: 'The style sheet and the script of hosted pages',
    auth: 'open',
    params: t.Object({ file: t.String({ maxLength: 60 }) }),
    unchecked: true,
    media: 'text/css',
    hidden: true,
  },
  readEmbedScript: {
    method: 'GET',
    path: '/f/embed.js',
    summary: 'What shows a form within a page of another site',
    auth: 'open',
    unchecked: true,
    media: 'text/javascript',
    hidden: true,
  },
})
