; Components are called by their element; elements of HTML are none of ours.
(jsx_opening_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.member-call))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.member-call))
(jsx_closing_element name: (identifier) @ignore)
(jsx_closing_element name: (member_expression object: (_) @ignore))
(jsx_closing_element name: (member_expression property: (property_identifier) @ignore))
