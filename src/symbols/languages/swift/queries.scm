; Definitions
(class_declaration "class" name: (type_identifier) @name) @definition.class
(class_declaration "actor" name: (type_identifier) @name) @definition.class
(class_declaration "struct" name: (type_identifier) @name) @definition.struct
(class_declaration "enum" name: (type_identifier) @name) @definition.enum
(class_declaration "extension" name: (user_type (type_identifier) @name .)) @definition.implementation
(class_declaration "extension" name: (user_type (type_identifier) @name . (type_arguments))) @definition.implementation
(protocol_declaration name: (type_identifier) @name) @definition.interface
(enum_entry name: (simple_identifier) @name) @definition.enum-member
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(function_declaration name: "init" @name) @definition.constructor
(function_declaration name: (simple_identifier) @name name: [(user_type) (optional_type)] @type) @definition.function
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name name: [(user_type) (optional_type)] @type) @definition.method
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(protocol_function_declaration name: "init" @name) @definition.constructor
(subscript_declaration "subscript" @name) @definition.method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation name: (_) @type)) @definition.property
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) value: (call_expression . (simple_identifier) @type (#match? @type "^[A-Z]"))) @definition.property
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation name: (_) @type)) @definition.property

; Imports
(import_declaration) @import
(import_declaration (identifier (simple_identifier) @ignore))

; Heritage: which of a class's bases is a class and which a protocol no word says; a class stands first.
(class_declaration "class" name: (_) . (inheritance_specifier inherits_from: (user_type (type_identifier) @reference.extends .)))
(class_declaration "class" name: (_) . (inheritance_specifier inherits_from: (user_type (type_identifier) @reference.extends . (type_arguments))))
(class_declaration "class" (type_parameters) . (inheritance_specifier inherits_from: (user_type (type_identifier) @reference.extends .)))
(class_declaration "class" (type_parameters) . (inheritance_specifier inherits_from: (user_type (type_identifier) @reference.extends . (type_arguments))))
(protocol_declaration (inheritance_specifier inherits_from: (user_type (type_identifier) @reference.extends .)))
(inheritance_specifier inherits_from: (user_type (type_identifier) @reference.implements .))
(inheritance_specifier inherits_from: (user_type (type_identifier) @reference.implements . (type_arguments)))

; Uses
(attribute (user_type (type_identifier) @reference.annotation))
; An element of a list has the shape of a call.
(call_expression . (simple_identifier) @reference.use (call_suffix (value_arguments "[")))
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.member)) (call_suffix (value_arguments "[")))
(call_expression . (simple_identifier) @reference.new (#match? @reference.new "^[A-Z]"))
(call_expression . (simple_identifier) @reference.call)
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.member-call)))
(navigation_expression target: (simple_identifier) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @reference.member))
(navigation_suffix suffix: (simple_identifier) @ignore (#eq? @ignore "self"))
(navigation_expression target: (simple_identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(user_type (type_identifier) @reference.type)
(value_argument name: (value_argument_label (simple_identifier) @ignore))
(parameter external_name: (simple_identifier) @ignore)
(prefix_expression operation: "." target: (simple_identifier) @ignore)
(simple_identifier) @reference.use

; What binds names
[(function_declaration) (protocol_function_declaration) (subscript_declaration) (class_declaration) (typealias_declaration) (lambda_literal) (statements) (if_statement) (for_statement) (while_statement) (switch_entry) (catch_block) (computed_property)] @scope
(parameter name: (simple_identifier) @local name: (_) @type)
(lambda_parameter name: (simple_identifier) @local)
(type_parameter (type_identifier) @local)
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local) (type_annotation name: (_) @type)))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local) value: (call_expression . (simple_identifier) @type (#match? @type "^[A-Z]"))))
(statements (property_declaration name: (pattern bound_identifier: (simple_identifier) @local)))
(statements (property_declaration name: (pattern (pattern (simple_identifier) @local))))
(if_statement bound_identifier: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier) @local)
(while_statement bound_identifier: (simple_identifier) @local)
(if_statement condition: (pattern bound_identifier: (simple_identifier) @local))
(guard_statement condition: (pattern bound_identifier: (simple_identifier) @local))
(for_statement item: (pattern bound_identifier: (simple_identifier) @local))
(for_statement item: (pattern (pattern (simple_identifier) @local)))
(switch_pattern (pattern (pattern bound_identifier: (simple_identifier) @local)))
(switch_pattern (pattern (pattern (simple_identifier) @local)))
(catch_block error: (pattern (pattern bound_identifier: (simple_identifier) @local)))
(catch_block error: (pattern bound_identifier: (simple_identifier) @local))
