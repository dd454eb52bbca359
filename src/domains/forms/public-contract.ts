import { ById, defineEndpoints, Id, nullable, t } from '#platform/contract.ts'

/** Whatever it is: an address that leads to no form is answered with a page. */
const BySlug = t.Object({ slug: t.String() })

/** What strangers call: the hosted page, and the way for programs and other sites. */
export const publicEndpoints = defineEndpoints({
  submitForm: {
    method: 'POST',
    path: '/api/forms/:id/submissions',
    summary: 'Submit a published form: {<key>: <answer>, …} as JSON or form data, with optional utm_… fields',
    auth: 'open',
    params: ById,
    form: 'or_json',
    repeats: true,
    unchecked: true,
    protocol: 'public form',
    body: t.Record(t.String(), t.Unknown()),
    output: t.Object({
      id: Id,
      message: nullable(t.String({ description: 'Thank-you text' })),
      redirect_url: nullable(t.String({ description: 'Redirect URL, if the form has one' })),
    }),
    status: 201,
    location: '/api/crm/submissions/{id}',
    besides: {
      303: {
        description: "For browser form posts: to the thank-you page or the form's redirect URL",
      },
      422: { description: 'Validation errors; an HTML page for browsers', media: 'text/html' },
    },
  },
  showForm: {
    method: 'GET',
    path: '/f/:slug',
    summary: 'Hosted form page',
    auth: 'open',
    params: BySlug,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  sendForm: {
    method: 'POST',
    path: '/f/:slug',
    summary: 'Submit the hosted form page without JavaScript',
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
    summary: 'Thank-you page',
    auth: 'open',
    params: BySlug,
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  readFormAsset: {
    method: 'GET',
    path: '/f/assets/:file',
    summary: 'Stylesheet and script of hosted form pages',
    auth: 'open',
    params: t.Object({ file: t.String({ maxLength: 60 }) }),
    unchecked: true,
    media: 'text/css',
    hidden: true,
  },
  readEmbedScript: {
    method: 'GET',
    path: '/f/embed.js',
    summary: 'Script that embeds a form in another site',
    auth: 'open',
    unchecked: true,
    media: 'text/javascript',
    hidden: true,
  },
})
