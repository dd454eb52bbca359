import type { Random } from './random.ts'

/** What a note may mention: `{company}` and the like are replaced. */
export type Facts = Record<
  'first' | 'company' | 'city' | 'seats' | 'tool' | 'renewal' | 'colleague' | 'day' | 'owner' | 'trade',
  string
>

export type NoteKind = keyof typeof notes

/** Notes as a sales team writes them, by the moment they belong to. */
const notes = {
  web: [
    'Came in through the form with "{seats} technicians, drowning in spreadsheets". Worth a call today.',
    '{first} downloaded the dispatch checklist and then opened pricing twice. No message left.',
    'Asked in the chat whether we work offline in lift shafts. Answered yes and offered a demo on {day}.',
    'Wrote on the form: "Is there a plan for fewer than {seats} seats?" There is. Calling.',
    'The form says {city}, about {seats} in the field, and "as soon as possible" as the date.',
  ],
  fair: [
    'Met at the stand: runs service for {company} in {city}, about {seats} people in vans. Wants to see route planning.',
    'Card from the fair, with "offline!" written on the back in capitals.',
    'Stood at the demo screen for twenty minutes and moved jobs around. Did not want coffee, wanted the price.',
  ],
  referral: [
    'Introduced by one of our customers. Mentioned slow response times in {city}.',
    'Came by recommendation: {colleague} saw us at a supplier and told {first}.',
  ],
  webinar: [
    'Registered for the webinar and asked the first question: how long does a switch from {tool} take?',
    'Stayed for the whole webinar and wanted the slides. Asked about {seats} seats in the chat.',
  ],
  outreach: [
    '{company} is hiring two dispatchers in {city}: a good moment to write.',
    'Read about their new branch in {city}. Short email to {first}, with one question and no attachment.',
  ],
  contacted: [
    'Left a voicemail and sent the two-page overview. Will try again on {day} morning, reception says that is when {first} is in.',
    'Short call. {first} has ten minutes on {day}; wants to know the price for {seats} technicians before anything else.',
    'Spoke with {colleague} in dispatch, not with {first}. They plan the day on a whiteboard and re-plan it by noon.',
    'No answer twice. The switchboard in {city} gave me the direct line, which I have put in.',
    'Email opened within minutes, no reply. Sent one line asking whether {tool} is still in use.',
    'Good first call. {company} lost two contracts last year over missed service windows, so there is pressure from above.',
    '{first} is on leave until {day}. {colleague} covers, and was happy to take the one-pager.',
    'Called. They do have something: {tool}, paid until {renewal}. Agreed to talk well before that.',
    'Wrong person: {first} does procurement. {colleague} decides about dispatch. Staying in touch with both.',
    'Called from the car park after a site visit, {first} was friendly but rushed. Sending three times for next week.',
  ],
  assistant: [
    'The assistant answered questions on integrations and offered three times; {first} has not picked one yet.',
    '{first} asked the assistant about data hosting. Answered with the page on hosting in the EU, no follow-up so far.',
    'The assistant confirmed about {seats} seats and a renewal in {renewal}. Looks real, taking over once a time is chosen.',
    'Asked whether subcontractors need a seat of their own. The assistant said no; {first} replied "good".',
    'Wants the price in writing. The assistant sent the list price for {seats} seats and the terms for a pilot.',
  ],
  discovery: [
    'Forty minutes with {first} and {colleague}. Pain: emergency calls break the plan, and nobody sees who is nearest. {seats} technicians, four dispatchers.',
    'Discovery call done. They re-type every job from {tool} into invoicing. Wants a demo of that hand-over above all.',
    'Walked through a day at {company}: 60 jobs, a third of them moved. Planning starts at five in the morning. Demo on {day}.',
    'They tried to build something themselves beside {tool} and gave up in spring. {first} has budget, {colleague} has the veto.',
    'Needs: offline app, photo proof, customer text before arrival. All there today. Open: their stock system has no API.',
    'The works council in {city} must agree to anything that shows location. Sent our page on location being off outside jobs.',
    '{first} compares us with two others. What counts: how fast {seats} people are trained. Offered to train on site for one day.',
    'Demo went well, {colleague} asked to move the jobs around, and did. They want the same with their own data next week.',
    'Taking this over from {owner}. Read the notes, wrote to {first}, and we speak on {day}.',
  ],
  qualified: [
    'Pilot agreed: eight technicians in {city}, four weeks. Success means fewer than five missed windows a week.',
    'Budget confirmed for {seats} seats. {tool} runs out in {renewal}, notice is given three months before, so we have a date.',
    'Security questionnaire back, nothing odd. {colleague} from IT wants single sign-on from the first day.',
    'Sent the offer for {seats} seats over two years. {first} will take it to the board on {day}.',
    'Reference call with one of our {trade} customers went well, says {first}: "they answered everything I was afraid to ask".',
    'Price talk: they ask for 15 % off. Offered 8 % for two years and training included. {first} was not unhappy.',
    'Legal wants our processing agreement in their own template. Sent to {owner}, answer by {day}.',
    'Pilot half-way: 11 % more jobs a day, and two technicians who refuse to use the app. Visiting them on {day}.',
  ],
  won: [
    'Signed for {seats} seats, start with the {city} branch. {first} wants to announce it internally first.',
    'Contract is in. What tipped it: the pilot, and that {colleague} could export everything at any time.',
    'Won. Kick-off on {day} with {first} and {colleague}; the hand-over list is with onboarding.',
    'Purchase order arrived. {tool} is switched off in {renewal}; until then both run side by side.',
    'Signed after three months. Remember for the next one: the {trade} business wants references from its own trade first.',
  ],
  lost: [
    'They stay with {tool} for another year, the price was matched. Calling again before {renewal}.',
    'Lost to a cheaper offer. {first} was open about it: for {seats} technicians the difference was a van.',
    'Project stopped, {company} is being bought. {first} suggests asking again after summer.',
    'No decision in the end. {colleague} has left, and nobody else owns the topic.',
    'Too small for us today: really {seats} technicians, but only three with a phone. Parting as friends.',
  ],
  reminder: [
    'Wrote again with the case study from the {trade} trade. No hurry in the tone.',
    '{first} answered: busy with the audit, please call on {day}.',
    'Asked for the number of jobs per day so that the estimate holds. Waiting.',
    '{first} forwarded our email to {colleague} with "let us look at this". Good sign.',
    'Two lines today, just to say that the offer to show it on {day} still stands.',
  ],
  followUp: [
    'Sent the recording of the demo for {colleague}, who could not be there.',
    'Small talk about {city} traffic, then straight to it: they want a fixed price for {seats} seats.',
    'Shared a sheet that compares {tool} and us line by line, including where {tool} is better.',
    'Moved our call to {day}; two technicians called in sick and {first} is out on jobs.',
    '{colleague} tried the app on an old phone and found a button too small. Passed on to product, who agreed.',
  ],
  discarded: [
    'Student writing a thesis, not a buyer. Sent the public figures and wished good luck.',
    'Double of another entry for {company}: same person, old address.',
    'Email bounced, number not in service, no such company in {city}. Removing.',
    'A supplier who wants to sell to us. Removing.',
  ],
} as const

/** Hands out notes so that no text of a kind comes twice before all have come once. */
export function noteWriter(random: Random): (kind: NoteKind, facts: Facts) => string {
  const decks = Object.fromEntries(
    Object.entries(notes).map(([kind, texts]) => [kind, random.deck<string>(texts)]),
  )
  return (kind, facts) => decks[kind]!().replace(/\{(\w+)\}/g, (_, name: keyof Facts) => facts[name])
}
