/** A question with two answers to choose from, in the form that most agents' tools take. @param {string} question */
export const choices = (question) => ({
  question,
  header: 'Shop',
  options: [
    { label: 'This one', description: 'The shop in this folder.' },
    { label: 'Another', description: 'A shop elsewhere.' },
  ],
});
